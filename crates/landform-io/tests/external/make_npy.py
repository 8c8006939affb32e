"""Arrays as NumPy writes them, for us to read: python3 make_npy.py FOLDER

Each holds 100 * row + column, in 3 rows and 5 columns.
"""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
values = np.array([[100 * j + i for i in range(5)] for j in range(3)])
for dtype in ["<f4", ">f4", "<f8", ">f8", "<u2", ">u2", "<i2", ">i2", "<i4", ">i4", "<u4", "u1"]:
    for order in "CF":
        for version in [(1, 0), (2, 0), (3, 0)]:
            array = np.asarray(values % 256 if dtype == "u1" else values).astype(dtype, order=order)
            kind = dtype.replace("<", "le_").replace(">", "be_")
            name = f"numpy_{kind}_{order}_v{version[0]}.npy"
            with open(folder / name, "wb") as file:
                np.lib.format.write_array(file, array, version=version)
