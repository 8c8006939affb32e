"""Routing and one implicit stream-power step: Landform beside fastscapelib and landlab, taking turns on one core.

    pip install fastscapelib landlab numpy
    cargo build --release -p landform --example drainage_steps
    OMP_NUM_THREADS=1 python drainage.py 2048 target/release/examples/drainage_steps

Processor time a sample, the least of some turns. Ours is the difference between a run of 23 and one of 3 steps, which
leaves the start of the program out. With `--sizes` it runs ours alone on growing lattices and tells its memory.
landlab leads no water out of depressions here: its finder of depressions would take longer than all the rest.
"""

import os
import resource
import subprocess
import sys
import time

os.environ["RAYON_NUM_THREADS"] = "1"


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(program, side, steps):
    before = children()
    subprocess.run([program, str(side), str(steps)], check=True, capture_output=True)
    return children() - before


def step_of_ours(program, side, steps=20):
    return (ours(program, side, steps + 3) - ours(program, side, 3)) / steps


def peak_bytes(program, side):
    """Of a process of its own, so that no other child counts."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = [sys.executable, "-c", code, program, str(side), "3"]
    return 1024 * int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def fastscapelib(side):
    import fastscapelib as fs
    import numpy as np

    grid = fs.RasterGrid([side, side], [100.0, 100.0], fs.NodeStatus.FIXED_VALUE)
    graph = fs.FlowGraph(grid, [fs.SingleFlowRouter(), fs.MSTSinkResolver()])
    eroder = fs.SPLEroder(graph, k_coef=2e-5, area_exp=0.4, slope_exp=1.0, tolerance=1e-5)
    height = 100.0 * np.random.default_rng(1).random((side, side))
    uplift = np.full((side, side), 1e-3)
    uplift[[0, -1], :] = 0.0
    uplift[:, [0, -1]] = 0.0

    def step():
        nonlocal height
        lifted = height + uplift * 2e4
        graph.update_routes(lifted)
        area = graph.accumulate(1.0)
        height = lifted - eroder.erode(lifted, area, 2e4)

    step.grid = grid  # the graph refers to the grid without keeping it alive: without this it crashes
    return step


def landlab(side):
    import numpy as np
    from landlab import RasterModelGrid
    from landlab.components import FlowAccumulator, StreamPowerEroder

    grid = RasterModelGrid((side, side), xy_spacing=100.0)
    rough = 100.0 * np.random.default_rng(1).random(side * side)
    height = grid.add_field("topographic__elevation", rough, at="node")
    router = FlowAccumulator(grid, flow_director="D8")
    eroder = StreamPowerEroder(grid, K_sp=2e-5, m_sp=0.4, n_sp=1.0)

    def step():
        height[grid.core_nodes] += 1e-3 * 2e4
        router.run_one_step()
        eroder.run_one_step(2e4)

    return step


def compare(side, program, turns=5):
    peers = {}
    for peer in (fastscapelib, landlab):
        try:
            step = peer(side)
            for _ in range(3):
                step()
            peers[peer.__name__] = step
        except Exception as error:  # a peer that is not installed is left out
            print(f"{peer.__name__}: {error}")
    best = dict.fromkeys([*peers, "landform"], float("inf"))
    for _ in range(turns):
        for name, step in peers.items():
            start = time.process_time()
            step()
            best[name] = min(best[name], time.process_time() - start)
        best["landform"] = min(best["landform"], step_of_ours(program, side))
    for name, seconds in best.items():
        print(f"{name}: {seconds / side**2 * 1e9:.0f} ns a sample, {seconds / best['landform']:.1f} times ours")


if __name__ == "__main__":
    if sys.argv[1] == "--sizes":
        for side in map(int, sys.argv[3:]):
            seconds = min(step_of_ours(sys.argv[2], side, 20 if side < 3000 else 5) for _ in range(2))
            memory = peak_bytes(sys.argv[2], side) / side**2
            print(f"{side}²: {seconds / side**2 * 1e9:.0f} ns and {memory:.0f} bytes a sample", flush=True)
    else:
        compare(int(sys.argv[1]), sys.argv[2])
