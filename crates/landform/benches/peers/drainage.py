"""Peers of the benchmark `drainage`: routing and one implicit stream-power step, CPU time a sample on one core.

    pip install fastscapelib landlab numpy
    OMP_NUM_THREADS=1 python drainage.py 2048
"""

import sys
import time

import numpy as np

side = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
rng = np.random.default_rng(1)


def best(work, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / side**2 * 1e9


def fastscapelib():
    import fastscapelib as fs

    grid = fs.RasterGrid([side, side], [100.0, 100.0], fs.NodeStatus.FIXED_VALUE)
    graph = fs.FlowGraph(grid, [fs.SingleFlowRouter(), fs.MSTSinkResolver()])
    eroder = fs.SPLEroder(graph, k_coef=2e-5, area_exp=0.4, slope_exp=1.0, tolerance=1e-5)
    height = 100.0 * rng.random((side, side))
    uplift = np.full((side, side), 1e-3)
    uplift[[0, -1], :] = 0.0
    uplift[:, [0, -1]] = 0.0

    def step():
        nonlocal height
        lifted = height + uplift * 2e4
        filled = graph.update_routes(lifted)
        area = graph.accumulate(1.0)
        height = lifted - eroder.erode(lifted, area, 2e4)
        return filled

    for _ in range(3):
        step()
    return best(step)


def landlab():
    from landlab import RasterModelGrid
    from landlab.components import DepressionFinderAndRouter, FlowAccumulator, StreamPowerEroder

    grid = RasterModelGrid((side, side), xy_spacing=100.0)
    height = grid.add_field("topographic__elevation", 100.0 * rng.random(side * side), at="node")
    router = FlowAccumulator(grid, flow_director="D8")
    eroder = StreamPowerEroder(grid, K_sp=2e-5, m_sp=0.4, n_sp=1.0)

    def step():
        height[grid.core_nodes] += 1e-3 * 2e4
        router.run_one_step()
        eroder.run_one_step(2e4)

    step()
    return best(step, 3)


for peer in (fastscapelib, landlab):
    try:
        print(f"{peer.__name__}: {peer():.0f} ns a sample")
    except Exception as error:  # a peer that is not installed is left out
        print(f"{peer.__name__}: {error}")
