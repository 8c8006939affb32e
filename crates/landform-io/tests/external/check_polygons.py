"""Shapely reads our GeoJSON: python3 check_polygons.py FOLDER

Every polygon must be valid: simple rings, with the holes inside of the outline. Lakes are MultiPolygons.
"""

import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
files = sorted(folder.rglob("*.geojson"))
if not files:
    sys.exit(0)

from shapely.geometry import shape  # noqa: E402
from shapely.validation import explain_validity  # noqa: E402

wrong = polygons = 0
for path in files:
    problems = []
    collection = json.loads(path.read_text())
    for feature in collection["features"]:
        geometry, properties = feature["geometry"], feature["properties"]
        name = properties.get("name", properties["kind"])
        found = shape(geometry)
        if found.is_empty or not found.is_valid:
            problems.append(f"{name}: {explain_validity(found)}")
        if "Polygon" in geometry["type"]:
            polygons += 1
            if found.area <= 0:
                problems.append(f"{name} has no area")
        if properties["kind"] == "lake":
            if geometry["type"] != "MultiPolygon":
                problems.append(f"{name} is a {geometry['type']}")
    for problem in problems[:5]:
        print(f"{path.relative_to(folder)}: {problem}")
    wrong += len(problems)
print(f"{len(files)} files, {polygons} polygons, {wrong} wrong")
sys.exit(1 if wrong else 0)
