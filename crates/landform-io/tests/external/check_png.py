"""Pillow reads our pictures: python3 check_png.py FOLDER

A 16-bit picture beside an array of the same name must hold its heights to half a level.
"""

import pathlib
import sys

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
folder = pathlib.Path(sys.argv[1])
wrong = 0
files = sorted(folder.glob("*.png"))
for path in files:
    problems = []
    with Image.open(path) as image:
        image.load()
        text = dict(image.text)
        levels = np.asarray(image)
    if "landform:min" in text:
        low, high = float(text["landform:min"]), float(text["landform:max"])
        if levels.dtype not in (np.uint16, np.int32) or levels.ndim != 2:
            problems.append(f"{levels.dtype} {levels.shape}, expected 16-bit grey")
        array = path.with_suffix(".npy")
        if array.exists():
            heights = np.load(array).astype(np.float64)
            metres = low + levels.astype(np.float64) / 65535 * (high - low)
            error = np.abs(metres - heights).max()
            if metres.shape != heights.shape or error > (high - low) / 65535 * 0.5001 + 1e-9:
                problems.append(f"off by {error} m")
    print(f"{path.name}: {'; '.join(problems) or 'good'}")
    wrong += bool(problems)
sys.exit(1 if wrong or not files else 0)
