# SPDX-License-Identifier: GPL-3.0-or-later
"""Lays the extension out with its wheels, ready for Blender's own `extension build`.

python package.py FOLDER WHEEL [WHEEL ...]
"""

import shutil
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
#: What Blender calls a platform, by how the platform of a wheel begins and ends.
PLATFORMS = {
    ("manylinux", "x86_64"): "linux-x64",
    ("manylinux", "aarch64"): "linux-arm64",
    ("linux", "x86_64"): "linux-x64",
    ("win", "amd64"): "windows-x64",
    ("macosx", "arm64"): "macos-arm64",
    ("macosx", "x86_64"): "macos-x64",
}

SHIM = '''"""Scripting entry of the extension Landform: `landform_blender.build(...)`."""

import sys


def __getattr__(name):
    for module in list(sys.modules):
        if module.startswith("bl_ext.") and module.endswith(".landform.api"):
            return getattr(sys.modules[module], name)
    raise ImportError("the extension Landform is not enabled")
'''


def main():
    folder, wheels = Path(sys.argv[1]), [Path(path) for path in sys.argv[2:]]
    shutil.copytree(HERE / "landform", folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    (folder / "wheels").mkdir(exist_ok=True)
    version = wheels[0].name.split("-")[1]
    names = [shim(folder / "wheels", version)]
    for wheel in wheels:
        shutil.copy(wheel, folder / "wheels")
        names.append(wheel.name)
    manifest = (folder / "blender_manifest.toml").read_text()
    head, build = manifest.split("[permissions]")
    listed = "".join(f'  "./wheels/{name}",\n' for name in names)
    tags = [wheel.stem.rsplit("-", 1)[1] for wheel in wheels]
    found = {name for (first, last), name in PLATFORMS.items() for tag in tags if tag.startswith(first) and tag.endswith(last)}
    platforms = ", ".join(f'"{platform}"' for platform in sorted(found))
    head += f"platforms = [{platforms}]\nwheels = [\n{listed}]\n\n"
    (folder / "blender_manifest.toml").write_text(f"{head}[permissions]{build}")


def shim(folder, version):
    """A wheel with the module `landform_blender`, which finds the extension wherever Blender has put it."""
    name = f"landform_blender-{version}"
    info = f"{name}.dist-info"
    metadata = (
        f"Metadata-Version: 2.4\nName: landform-blender\nVersion: {version}\nLicense-Expression: GPL-3.0-or-later\n"
    )
    files = {
        "landform_blender.py": SHIM,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: landform\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(folder / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return wheel


if __name__ == "__main__":
    main()
