"""Says what a wheel holds, and fails if that is not what its name promises.

python inspect_wheel.py WHEEL [WHEEL ...]
"""

from __future__ import annotations

import struct
import sys
import zipfile
from pathlib import Path

#: The machines of programs, by the numbers that their formats have for them.
ELF = {62: "x86_64", 183: "aarch64"}
PE = {0x8664: "amd64"}
MACH = {0x01000007: "x86_64", 0x0100000C: "arm64"}


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        _, _, python, abi, platform = path.stem.split("-")
        with zipfile.ZipFile(path) as wheel:
            compiled = [name for name in wheel.namelist() if name.endswith((".so", ".pyd"))]
            system, machine = kind(wheel.read(compiled[0]))
        promised = {"Linux": "manylinux", "Windows": "win", "macOS": "macosx"}[system]
        is_right = len(compiled) == 1 and platform.startswith(promised) and platform.endswith(machine) and abi == "abi3"
        print(f"{path.name}: {compiled[0]} for {system} on {machine}, {path.stat().st_size / 1e6:.1f} MB")
        if not is_right:
            sys.exit(f"{path.name} promises {python}-{abi} for {platform}")


def kind(program: bytes) -> tuple[str, str]:
    """The system and the machine that a shared library is for."""
    if program[:4] == b"\x7fELF":
        return "Linux", ELF[struct.unpack_from("<H", program, 18)[0]]
    if program[:2] == b"MZ":
        header = struct.unpack_from("<I", program, 60)[0]
        return "Windows", PE[struct.unpack_from("<H", program, header + 4)[0]]
    if program[:4] == b"\xcf\xfa\xed\xfe":
        return "macOS", MACH[struct.unpack_from("<I", program, 4)[0]]
    raise SystemExit("not a library of Linux, Windows or macOS")


if __name__ == "__main__":
    main()
