"""Terrain on a cluster: a real scheduler and real workers, some of which are killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import landform
import landform.dask

from test_store import files

distributed = pytest.importorskip("distributed")

RECIPE = "paper_islands"
SIZE = (2400, 1800)
DIVISION = {"chunk": 32, "shard": 64}


class Cluster:
    """A scheduler and its workers, as processes of their own on this machine."""

    def __init__(self, folder: Path, workers: int) -> None:
        # Sampling the frames of running threads has crashed workers on Python 3.11.
        self.environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false"}
        self.file = folder / "scheduler.json"
        file = ["--scheduler-file", str(self.file)]
        self.processes = [self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *file)]
        options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        self.workers = [self.start("worker", *file, *options) for _ in range(workers)]
        self.processes += self.workers

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, env=self.environment, stdout=quiet, stderr=quiet, cwd=self.file.parent)

    def client(self) -> distributed.Client:
        client = distributed.Client(scheduler_file=str(self.file), timeout=60)
        client.wait_for_workers(len(self.workers), timeout=120)
        return client

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path, 3)
    yield cluster
    cluster.close()


def test_a_lazy_array_is_the_terrain():
    import dask

    lazy = landform.dask.array(RECIPE, size=300, chunks=128)
    whole = landform.build(RECIPE, size=300)
    with dask.config.set(scheduler="threads"):
        assert (lazy.compute() == whole.height).all()
        assert float(lazy[100:200].max().compute()) == whole.height[100:200].max()
    with pytest.raises(landform.Error, match="no layer 'snow'"):
        landform.dask.array(RECIPE, layer="snow")


def test_workers_and_clients_may_be_lost(cluster, tmp_path, program):
    alone = landform.build_store(RECIPE, tmp_path / "alone.zarr", size=SIZE, **DIVISION)
    expected = files(Path(alone.path))
    path = tmp_path / "shared.zarr"
    with cluster.client() as client:
        address = client.scheduler.address
        # A client that is killed when some tiles are there.
        words = [RECIPE, str(path), "--scheduler", address, "--size", "2400x1800", "--chunk", "32", "--shard", "64"]
        first = subprocess.Popen([sys.executable, "-m", "landform.dask", *words], stderr=subprocess.DEVNULL)
        records = path / ".landform" / "0"
        while not records.is_dir() or len(list(records.iterdir())) < 50:
            assert first.poll() is None and time.sleep(0.02) is None
        first.kill()
        first.wait()
        assert not landform.open_store(path).complete
        told: list[int] = []

        def kill_one(made: int, all: int) -> None:
            if not told:
                cluster.workers[0].kill()
            told.append(all)

        store = landform.dask.build(RECIPE, path, client=client, size=SIZE, told=kill_one, **DIVISION)
        # What the first client had made was not made again.
        assert store.complete and told[0] < 38 * 29
    assert cluster.workers[0].wait() != 0
    assert files(path) == expected
    # The same from the command line, by the two that are left.
    os.environ["LANDFORM_PYTHON"] = sys.executable
    words = ["--size", "2400x1800", "--chunk", "32", "--shard", "64", "--dask", address, "-q", "-o", "cli.zarr"]
    done = program("build", RECIPE, *words)
    assert done.returncode == 0, done.stderr
    assert landform.open_store(tmp_path / "cli.zarr").manifest["layers"] == alone.manifest["layers"]


def test_simulations_run_once_for_all(cluster, tmp_path):
    recipe = landform.Recipe.preset("eroded_hills").set("size", [257, 193])
    size = (700, 500)
    alone = landform.build_store(recipe, tmp_path / "alone.zarr", size=size, **DIVISION)
    path = tmp_path / "shared.zarr"
    kept = path / ".landform" / "kept"
    places: list[set[int]] = []

    def look(made: int, all: int) -> None:
        # A file that is written again is another file.
        places.append({file.stat().st_ino for file in kept.iterdir()})
        if len(places) == 1:
            cluster.workers[0].kill()

    with cluster.client() as client:
        store = landform.dask.build(recipe, path, client=client, size=size, told=look, **DIVISION)
        assert store.complete and not kept.exists()
        assert places[0] and all(files == places[0] for files in places)
        assert files(path) == files(Path(alone.path))
        lazy = landform.dask.array(recipe, size=size, chunks=256, layer="sediment")
        assert (client.compute(lazy).result() == landform.build(recipe, size=size)["sediment"]).all()


def test_what_is_missing_is_said(program, monkeypatch):
    monkeypatch.setenv("LANDFORM_PYTHON", "no-such-python")
    said = program("build", RECIPE, "--dask", "tcp://127.0.0.1:1", "-o", "x.zarr")
    assert said.returncode == 1 and "needs Python with the packages landform and dask" in said.stderr
