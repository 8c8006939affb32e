"""Terrain on a Dask cluster: lazy arrays, and stores that all workers fill at once.

>>> import landform.dask
>>> height = landform.dask.array("islands", size=4097, chunks=1024)
>>> height.shape, height.numblocks
((4097, 4097), (5, 5))
>>> height[2000:2010, 2000:2010].compute().shape
(10, 10)

A store is filled by `build`, or from a shell:

    python -m landform.dask big.toml big.zarr --size 65537x65537 --scheduler tcp://scheduler:8786

Every worker needs this package in the same version, and sees the folder of the store under the same path. The bytes are
those that one machine alone would write. A worker that is lost is replaced by others, and after the loss of the client the same call
goes on where it stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .build import Plan, _opened
from .recipe import Recipe, StrPath
from .store import Store

if TYPE_CHECKING:
    import dask.array
    import distributed

Told = Callable[[int, int], object]
"""A function that is told how many tiles are there, and how many there will be."""


@dataclass(frozen=True)
class _Job:
    """A recipe on its way to a worker."""

    text: str
    folder: str
    inputs: tuple[tuple[str, npt.NDArray[np.float32]], ...]
    token: str
    allow_outside: bool

    @classmethod
    def of(cls, recipe: Recipe) -> _Job:
        digest = hashlib.sha256(f"{recipe.text}\0{recipe.folder}".encode())
        for name, values in recipe.inputs.items():
            digest.update(name.encode() + values.tobytes())
        folder = os.path.abspath(recipe.folder)
        inputs = tuple(recipe.inputs.items())
        return cls(recipe.text, folder, inputs, digest.hexdigest(), recipe.allow_outside)


    def plan(self) -> Plan:
        recipe = Recipe(self.text, folder=self.folder, allow_outside=self.allow_outside)
        for name, values in self.inputs:
            recipe = recipe.with_input(name, values)
        return Plan(recipe)


_plans: dict[str, Plan] = {}
_lock = threading.Lock()


def _plan(job: _Job, ready: Callable[[Plan], object]) -> Plan:
    """The plan of a job, made once a process; `ready` gives it what was found out about the whole ground."""
    with _lock:
        if job.token not in _plans:
            plan = job.plan()
            ready(plan)
            _plans.clear()
            _plans[job.token] = plan
        return _plans[job.token]


def _found(job: _Job) -> dict[str, bytes]:
    """What the stages that look at the whole ground find out: one task, whose result goes to all workers."""
    return job.plan()._plan.simulate({})


def _block(job: _Job, layer: str, found: dict[str, bytes], block_info: Any = None) -> npt.NDArray[np.float32]:
    (top, bottom), (left, right) = block_info[None]["array-location"]
    plan = _plan(job, lambda plan: plan._plan.simulate(found))
    terrain = plan.tile(left, top, right - left, bottom - top, threads=1)
    return np.asarray(terrain[layer])


def array(
    recipe: Recipe | StrPath,
    *,
    seed: int | None = None,
    size: int | tuple[int, int] | None = None,
    chunks: Any = 2048,
    layer: str = "height",
) -> dask.array.Array:
    """A layer of a terrain as a lazy Dask array: blocks are made where and when they are needed."""
    import dask
    import dask.array

    plan = Plan(recipe, seed=seed, size=size)
    if layer not in plan.layers:
        raise _core.Error(f"the terrain has no layer {layer!r}, but {', '.join(plan.layers)}")
    job = _Job.of(plan.recipe)
    whole = dask.array.core.normalize_chunks(chunks, plan.shape, dtype=np.float32)
    meta = np.empty((0, 0), np.float32)
    token = f"landform-{job.token[:16]}"
    found = dask.delayed(_found)(job, dask_key_name=f"{token}-found")
    return dask.array.map_blocks(
        _block, job, layer, found, chunks=whole, dtype=np.float32, meta=meta, token=f"{token}-{layer}"
    )


def build(
    recipe: Recipe | StrPath,
    path: StrPath,
    *,
    client: distributed.Client | None = None,
    seed: int | None = None,
    size: int | tuple[int, int] | None = None,
    chunk: int | None = None,
    shard: int | None = None,
    shards: bool = True,
    retries: int = 3,
    patience: float = 600.0,
    told: Told | None = None,
) -> Store:
    """Builds a terrain larger than memory into a folder that all workers see, by all of them.

    A tile that fails is tried again `retries` times. Without any worker the call waits so many seconds (`patience`).
    """
    plan = Plan(recipe, seed=seed, size=size)
    path = os.path.abspath(os.fspath(path))
    _core.create_store(path, plan._plan, chunk=chunk, shard=shard, shards=shards)
    return fill(path, plan.recipe, client=client, retries=retries, patience=patience, told=told)


def fill(
    path: StrPath,
    recipe: Recipe | None = None,
    *,
    client: distributed.Client | None = None,
    retries: int = 3,
    patience: float = 600.0,
    told: Told | None = None,
) -> Store:
    """Lets the workers make what is missing of a store that was begun, from the recipe that is written in it."""
    import distributed

    path = os.path.abspath(os.fspath(path))
    job = _Job.of(recipe or Store(path).recipe)
    client = client or distributed.get_client()
    _one_version(client, patience)
    store = _core.Store(path)
    for base in store.bases:
        pending = [(i, j) for i, j in store.pending(base)]
        rounds = retries + 1
        while pending:
            _run(client, job, path, base, pending, retries, patience, told)
            left = [(i, j) for i, j in store.pending(base)]
            rounds -= 1
            if left and rounds == 0:
                raise RuntimeError(f"{path}: {len(left)} tiles could not be made, the first is {left[0]}")
            pending = left
    store.finish()
    return Store(path)


def _one_version(client: distributed.Client, patience: float) -> None:
    """Waits for a worker, and refuses workers with another version of this package, whose bytes may differ."""
    client.wait_for_workers(1, timeout=patience)
    versions = client.run(_version)
    others = {name: version for name, version in versions.items() if version != _core.__version__}
    if others:
        raise RuntimeError(f"landform is {_core.__version__} here, but on workers: {others}")


def _version() -> str:
    return _core.__version__


def _simulate(job: _Job, path: str) -> list[str]:
    """What one worker does before all tiles: runs the stages that look at the whole ground. The store keeps what they find out."""
    return _core.Store(path).simulate(job.plan()._plan)


def _write(job: _Job, path: str, base: int, tiles: list[tuple[int, int]], _simulated: object = None) -> int:
    """What a worker does: makes tiles and writes them. Whatever of it is done twice gives the same bytes."""
    store = _core.Store(path)
    if base == 0:
        plan = _plan(job, lambda plan: store.simulate(plan._plan))
        store.write(plan._plan, tiles, threads=1)
    else:
        for tile in tiles:
            store.make_overviews(base, tile)
    return len(tiles)


def _same(job: _Job) -> _Job:
    return job


def _run(
    client: distributed.Client,
    job: _Job,
    path: str,
    base: int,
    pending: list[tuple[int, int]],
    retries: int,
    patience: float,
    told: Told | None,
) -> None:
    """Submits all pending tiles, a few ahead of the workers, and waits for them; failures are left to the caller."""
    import distributed

    threads = max(1, sum(client.nthreads().values()))
    # Enough work for the scheduler not to matter, little enough to share it evenly.
    size = max(1, min(4, len(pending) // (4 * threads)))
    parts = iter([pending[k : k + size] for k in range(0, len(pending), size)])
    made, since = 0, time.monotonic()
    # A task of its own: unlike scattered data, it is made again where the worker that held it is lost.
    job_on_workers = client.submit(_same, job, pure=False)
    first = client.submit(_simulate, job_on_workers, path, retries=retries, pure=False) if base == 0 else None

    def submitted(count: int) -> Iterator[distributed.Future]:
        for _, tiles in zip(range(count), parts):
            yield client.submit(_write, job_on_workers, path, base, tiles, first, retries=retries, pure=False)

    running = set(submitted(3 * threads))
    while running:
        try:
            done, _ = distributed.wait(running, timeout=5, return_when="FIRST_COMPLETED")
        except (TimeoutError, distributed.TimeoutError):
            if client.nthreads():
                since = time.monotonic()
            elif time.monotonic() - since > patience:
                raise RuntimeError("the cluster has no workers any more") from None
            continue
        since = time.monotonic()
        for future in done:
            running.discard(future)
            if future.status == "finished":
                made += future.result()
            future.release()
        if told is not None and base == 0:
            told(made, len(pending))
        running.update(submitted(len(done)))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main(words: list[str] | None = None) -> int:
    """`python -m landform.dask`"""
    parser = argparse.ArgumentParser(prog="python -m landform.dask", description="Build a store on a Dask cluster.")
    parser.add_argument("recipe", nargs="?", help="recipe, .upd, or name of a preset")
    parser.add_argument("store", help="the folder, .zarr, which all workers see")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="a cluster that is there")
    where.add_argument("--local", metavar="WORKERS", type=int, help="a cluster on this machine, of so many processes")
    parser.add_argument("--go-on", action="store_true", help="make what is missing of a store that was begun")
    parser.add_argument("--inputs", default="", help="with --go-on: the folder with the files that the recipe refers to")
    parser.add_argument("--allow-outside", action="store_true", help="files that it names may lie outside of the folder")
    parser.add_argument("--size", type=_size, metavar="WxH", help="number of samples; the ground stays the same")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--chunk", type=int, help="samples along a side of a chunk")
    parser.add_argument("--shard", type=int, help="samples along a side of a shard")
    parser.add_argument("--no-shards", action="store_true", help="one file a chunk")
    parser.add_argument("--retries", type=int, default=3)
    parser.add_argument("--patience", type=float, default=600.0, help="seconds to wait while there is no worker")
    parser.add_argument("-q", "--quiet", action="store_true")
    given = parser.parse_args(words)
    if given.recipe is None and not given.go_on:
        parser.error("a recipe is needed")
    try:
        import distributed
    except ImportError:
        print('error: Dask is not there: pip install "dask[distributed]"', file=sys.stderr)
        return 1
    told = None if given.quiet else _Teller()
    try:
        with _Connection(distributed, given) as client:
            if given.go_on:
                text = Store(given.store).recipe.text
                recipe = Recipe(text, folder=given.inputs, allow_outside=given.allow_outside)
                store = fill(
                    given.store, recipe, client=client, retries=given.retries, patience=given.patience, told=told
                )
            else:
                store = build(
                    _opened(given.recipe, allow_outside=given.allow_outside),
                    given.store,
                    client=client,
                    seed=given.seed,
                    size=given.size,
                    chunk=given.chunk,
                    shard=given.shard,
                    shards=not given.no_shards,
                    retries=given.retries,
                    patience=given.patience,
                    told=told,
                )
    except (_core.Error, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not given.quiet:
        print(store)
    return 0


class _Teller:
    """Says every few seconds how far it is."""

    def __init__(self) -> None:
        self.start = self.said = time.monotonic()

    def __call__(self, made: int, all: int) -> None:
        now = time.monotonic()
        if now - self.said > 5 or made == all:
            self.said = now
            left = (now - self.start) / max(made, 1) * (all - made)
            print(f"{100 * made // all:3} %  tile {made} of {all}, {left:.0f} s left", file=sys.stderr)


class _Connection:
    """A client of the cluster that was asked for, and the cluster if it is our own."""

    def __init__(self, distributed: Any, given: argparse.Namespace) -> None:
        self.cluster: Any = None
        if given.local is not None:
            self.cluster = distributed.LocalCluster(
                n_workers=given.local, threads_per_worker=1, processes=True, dashboard_address=None
            )
        self.client = distributed.Client(self.cluster or given.scheduler, timeout=60)

    def __enter__(self) -> distributed.Client:
        return self.client

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


if __name__ == "__main__":
    # Workers must find the functions in the module, not in what is called `__main__` here.
    from landform.dask import main as main_of_module

    sys.exit(main_of_module())
