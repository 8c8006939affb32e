"""The matrix method of Raj, Rastogi & Kushvah in plain NumPy: nanoseconds of processor time a sample.

    python crates/landform/benches/peers/matrix.py 4097
"""

import sys
import time

import numpy as np


def refined(t: np.ndarray) -> np.ndarray:
    """Bilinear refinement by two."""
    rows, columns = t.shape
    fine = np.empty((2 * rows - 1, 2 * columns - 1), t.dtype)
    fine[::2, ::2] = t
    fine[1::2, ::2] = 0.5 * (t[:-1] + t[1:])
    fine[:, 1::2] = 0.5 * (fine[:, :-1:2] + fine[:, 2::2])
    return fine


def matrix(side: int, random: np.random.Generator) -> np.ndarray:
    t = np.array([[0, 0.5], [1, 0.25]], np.float32)
    amplitude = np.float32(1)
    while t.shape[0] < side:
        t = refined(t)
        t += amplitude * (2 * random.random(t.shape, np.float32) - 1)
        amplitude /= 2
    t -= t.min()
    t /= t.max()
    return t


def main() -> None:
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 4097
    random = np.random.default_rng(1)
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        made = matrix(side, random)
        best = min(best, time.process_time() - start)
    assert made.shape == (side, side), "a side of 2ⁿ + 1"
    print(f"NumPy {np.__version__}, {side}²: {best / side**2 * 1e9:.1f} ns a sample")


if __name__ == "__main__":
    main()
