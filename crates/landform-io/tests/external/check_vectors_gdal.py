"""GDAL reads our FlatGeobuf: python3 check_vectors_gdal.py FOLDER

Every `.fgb` beside a `.geojson` of the same name must hold the same objects with the same properties, and where it has a coordinate
system GDAL, which turns it into degrees, must come to the coordinates that we wrote.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(sys.argv[1])
wrong = 0


def positions(part):
    """All positions of a geometry, in a row."""
    if part and isinstance(part[0], (int, float)):
        return [part]
    return [position for inner in part for position in positions(inner)]


for path in sorted(folder.glob("*.fgb")):
    ours = json.loads(path.with_suffix(".geojson").read_text())["features"]
    summary = subprocess.check_output(["ogrinfo", "-so", "-al", str(path)], text=True)
    is_placed = "EPSG" in summary
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out.geojson"
        command = ["ogr2ogr", "-f", "GeoJSON", "-lco", "COORDINATE_PRECISION=9", str(out), str(path)]
        subprocess.check_call(command + (["-t_srs", "EPSG:4326"] if is_placed else []))
        theirs = json.loads(out.read_text())["features"]
    problems = []
    if len(ours) != len(theirs):
        problems.append(f"{len(theirs)} objects of {len(ours)}")
    tolerance = 1e-6 if is_placed else 1e-3
    for a, b in zip(ours, theirs):
        name = a["properties"].get("name", a["properties"]["kind"])
        if a["geometry"]["type"] != b["geometry"]["type"]:
            problems.append(f"{name} is a {b['geometry']['type']}, not a {a['geometry']['type']}")
            continue
        one, other = (positions(feature["geometry"]["coordinates"]) for feature in (a, b))
        off = max(abs(p[k] - q[k]) for p, q in zip(one, other) for k in (0, 1))
        if len(one) != len(other) or off > tolerance:
            problems.append(f"{name} is off by {off}")
        for key, value in a["properties"].items():
            if isinstance(value, str) and b["properties"].get(key) != value:
                problems.append(f"{name}: {key} is {b['properties'].get(key)!r}")
            # Where it is a list elsewhere, as the depth of rivers, a number is JSON, which GDAL gives as a text.
            if isinstance(value, (int, float)) and abs(float(b["properties"][key]) - value) > 1e-3:
                problems.append(f"{name}: {key} is {b['properties'][key]}, not {value}")
    print(f"{path.name}: {'; '.join(problems[:5]) or 'good'} ({len(theirs)} objects)")
    wrong += bool(problems)
sys.exit(1 if wrong else 0)
