"""Progress, Ctrl-C, threads of Python."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

import landform
from landform import Recipe, stages

LONG = Recipe.of(stages.noise(), stages.hydraulic(steps=5000, levels=1), size=513)


def test_progress_is_told_in_order():
    heard = []
    landform.build(LONG.set("hydraulic.steps", 150), progress=lambda stage, done: heard.append((stage, done)))
    shares = [done for _, done in heard]
    assert shares == sorted(shares) and shares[-1] == 1
    assert "hydraulic" in {stage for stage, _ in heard}


def test_a_bar_of_tqdm(capsys):
    pytest.importorskip("tqdm")
    landform.build("fbm", size=65, progress=True)
    assert "100%" in capsys.readouterr().err


def test_an_exception_in_progress_stops_the_work_and_comes_out():
    def stop(stage: str, done: float) -> None:
        raise RuntimeError("enough")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        landform.build(LONG, progress=stop)
    assert time.monotonic() - start < 3


def test_other_threads_of_python_run_meanwhile():
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    landform.build(LONG.set("hydraulic.steps", 100))
    done.set()
    thread.join()
    assert counted > 10_000


def test_ctrl_c_stops_a_build():
    script = (
        "import landform, signal\n"
        "from landform import Recipe, stages\n"
        "recipe = Recipe.of(stages.noise(), stages.hydraulic(steps=5000, levels=1), size=1025)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True)\n"
        "try:\n    landform.build(recipe)\n"
        "except KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(1)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=20)
    assert said == "stopped\n"
    assert time.monotonic() - start < 5


def test_threads_do_not_change_the_bytes():
    recipe = Recipe.of(stages.noise(), stages.river(), stages.hydraulic(steps=40), size=129)
    one, three = (landform.build(recipe, threads=count) for count in (1, 3))
    assert all(one.sha256(name) == three.sha256(name) for name in one)


def test_many_builds_at_once():
    wanted = landform.build("paper_islands", size=65).sha256()
    found: list[str] = []
    work = [
        threading.Thread(target=lambda: found.append(landform.build("paper_islands", size=65).sha256())) for _ in range(8)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert found == [wanted] * 8
