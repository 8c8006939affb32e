"""Makes the bundle and one export of every recipe of a folder: python parity.py FOLDER

FOLDER has `recipes/` and `jobs.txt`, a line for each: the name of the recipe, and name and title of the target. The files go to
`FOLDER/python/`; `cargo xtask test --only parity` compares them with those of the other doors.
"""

import sys
from pathlib import Path

import landform

root = Path(sys.argv[1])
for line in (root / "jobs.txt").read_text().splitlines():
    name, target, _ = line.split(" ", 2)
    recipe = root / "recipes" / f"{name}.toml"
    landform.build(recipe).bundle(root / "python" / name)
    landform.export(recipe, target, root / "python" / f"{name}-{target}")
