"""OpenEXR reads our pictures: python3 check_exr.py FOLDER

Needs `pip install OpenEXR numpy`. Every EXR beside an array of the same name must hold the same bits.
"""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
files = sorted(folder.glob("*.exr"))
wrong = 0
if files:
    import numpy as np
    import OpenEXR
for path in files:
    problems = []
    file = OpenEXR.File(str(path), separate_channels=True)
    header = dict(file.header())
    channels = {name: channel.pixels for name, channel in file.channels().items()}
    array = path.with_suffix(".npy")
    for name, pixels in channels.items():
        if pixels.dtype != np.float32:
            problems.append(f"channel {name} is {pixels.dtype}")
        if array.exists() and not np.array_equal(pixels, np.load(array), equal_nan=True):
            problems.append(f"channel {name} differs")
    if "landformSpacingX" not in header:
        problems.append("no spacing")
    print(f"{path.name}: {'; '.join(problems) or 'good'} ({', '.join(channels)})")
    wrong += bool(problems)
sys.exit(1 if wrong else 0)
