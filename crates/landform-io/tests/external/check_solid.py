"""STL and 3MF are closed and oriented: python3 check_solid.py FOLDER

Every edge must be run along once in each direction, and the volume be positive. Needs numpy.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET
import zipfile

import numpy as np


def stl(path):
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    triangles = np.frombuffer(data, kind, offset=84)
    assert len(triangles) == count, "the count is wrong"
    corners = triangles["corners"].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    assert np.abs(normals - triangles["normal"]).max() < 1e-3, "a normal is wrong"
    vertices, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return vertices, faces.reshape(-1, 3)


def three_mf(path):
    space = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, "a checksum is wrong"
        model = ET.fromstring(archive.read("3D/3dmodel.model"))
    assert model.get("unit") == "millimeter"
    vertices = np.array([[float(v.get(axis)) for axis in "xyz"] for v in model.iter(space + "vertex")])
    faces = np.array([[int(t.get(v)) for v in ("v1", "v2", "v3")] for t in model.iter(space + "triangle")])
    return vertices, faces


folder = pathlib.Path(sys.argv[1])
wrong = 0
for path in sorted([*folder.glob("*.stl"), *folder.glob("*.3mf")]):
    try:
        vertices, faces = stl(path) if path.suffix == ".stl" else three_mf(path)
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        there = np.unique(edges, axis=0)
        assert len(there) == len(edges), "an edge is run along twice the same way"
        assert np.array_equal(np.unique(edges[:, ::-1], axis=0), there), "an edge is open"
        a, b, c = (vertices[faces[:, k]] for k in range(3))
        volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
        assert volume > 0, "inside out"
        size = vertices.max(0) - vertices.min(0)
        print(f"{path.name}: good ({len(faces)} triangles, {size.round(2)} mm, {volume:.0f} mm³)")
    except AssertionError as problem:
        print(f"{path.name}: {problem}")
        wrong += 1
sys.exit(1 if wrong else 0)
