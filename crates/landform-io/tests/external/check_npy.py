"""NumPy reads our arrays: python3 check_npy.py FOLDER

With a landform.json in the folder, sizes and hashes must be what it says.
"""

import hashlib
import json
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
manifest_path = folder / "landform.json"
manifest = json.loads(manifest_path.read_text()) if manifest_path.exists() else None
layers = {layer["name"]: layer for layer in manifest["layers"]} if manifest else {}
listed = {file["name"]: file for file in manifest["files"]} if manifest else {}
wrong = 0
files = sorted(folder.glob("*.npy"))
for path in files:
    if path.name.startswith("numpy_"):
        continue  # made by make_npy.py
    array = np.load(path, allow_pickle=False)
    problems = []
    if array.dtype != np.dtype("<f4") or array.ndim != 2 or not array.flags.c_contiguous:
        problems.append(f"{array.dtype} {array.shape}")
    layer = layers.get(listed.get(path.name, {}).get("layer"))
    if layer:
        if list(array.shape) != manifest["size"][::-1]:
            problems.append(f"shape {array.shape}, manifest {manifest['size']}")
        if hashlib.sha256(array.tobytes()).hexdigest() != layer["sha256"]:
            problems.append("another hash than the manifest's")
        if not np.isclose(array.min(), layer["min"]) or not np.isclose(array.max(), layer["max"]):
            problems.append("another range than the manifest's")
    print(f"{path.name}: {'; '.join(problems) or 'good'}")
    wrong += bool(problems)
sys.exit(1 if wrong or not files else 0)
