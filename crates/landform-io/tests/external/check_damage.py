"""Damaged files, read by us and by others: python3 check_damage.py FOLDER [COUNT]

Needs the program in the variable LANDFORM, and `pip install numpy pillow rasterio OpenEXR zarr`. A file of each format is changed
at random, COUNT times. Both readers refuse it, or both read the same samples. We may refuse what others read; each such reason is
listed with its number, since it is a decision. We may read what others refuse only if the samples are those of the sound file, and
we may not read anything differently. Heights beyond a billion metres are clamped by us, so theirs are clamped too.
"""

import collections
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy as np

SIZE = "33x33"
PROGRAM = os.environ["LANDFORM"]
# The highest height that a terrain can have, in metres.
MOST = np.float32(1e9)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 60


def landform(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1, 2), f"landform {' '.join(map(str, words))}: {done.returncode}: {done.stderr}"
    return done.returncode == 0, done.stderr.strip()


def by_numpy(path):
    return np.load(path, allow_pickle=False)


def by_pillow(path):
    from PIL import Image, ImageFile

    # As a PNG is meant to be read: no sample is made up.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    with Image.open(path) as image:
        if image.format != "PNG" or not image.mode.startswith("I"):
            raise ValueError("not 16 bits of grey")
        return np.asarray(image)


def by_gdal(path):
    import rasterio

    with rasterio.open(path) as file:
        if file.count != 1:
            raise ValueError("several bands")
        samples = file.read(1).astype(np.float32)
        if file.nodata is not None:
            samples[samples == np.float32(file.nodata)] = np.nan
        return samples


def by_openexr(path):
    import OpenEXR

    channels = OpenEXR.File(str(path), separate_channels=True).channels()
    (channel,) = channels.values()
    return channel.pixels


def by_zarr(path):
    import zarr

    return zarr.open_group(path, mode="r")["0/height"][:]


FORMATS = {
    "npy": by_numpy,
    "png": by_pillow,
    "tif": by_gdal,
    "asc": by_gdal,
    "exr": by_openexr,
    "zarr": by_zarr,
}


def attempt(reader, path, out):
    """Runs in a process of its own, since a reader in C may crash."""
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        samples = np.asarray(reader(path))
        if samples.ndim == 2:
            np.save(out, samples.astype(np.float32))
    except BaseException:  # noqa: BLE001, Rust's panics among them
        pass


def theirs(reader, path, out):
    out.unlink(missing_ok=True)
    process = multiprocessing.get_context("fork").Process(target=attempt, args=(reader, path, out))
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return np.clip(np.load(out), -MOST, MOST) if out.exists() else None


def ours(path, out):
    out.unlink(missing_ok=True)
    words = ["--range", "0,65535"] if path.suffix == ".png" else []
    read, talk = landform("build", path, "-q", "--force", "-o", out, *words)
    return (np.load(out), "") if read else (None, talk)


def damaged(data, chance):
    out = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        if not out:
            break
        at = chance.randrange(min(len(out), chance.choice([200, len(out)])))
        kind = chance.randrange(6)
        if kind < 2:
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            out[at] = chance.choice([0, 1, 127, 128, 255])
        elif kind == 3:
            del out[at:]
        elif kind == 4:
            del out[at : at + chance.randint(1, 16)]
        else:
            out[at:at] = out[at : at + chance.randint(1, 16)]
    return bytes(out)


def reason(talk):
    """A message without the places and numbers that differ from file to file."""
    last = talk.splitlines()[-1] if talk else ""
    return re.sub(r"[0-9][0-9.e+-]*", "N", re.sub(r"^.*?: (cannot read )?[^ :]*: ", "", last))[:90]


def run(folder, ending, reader):
    chance = random.Random(f"landform {ending}")
    sound = folder / f"sound.{ending}"
    more = ["--chunk", 16, "--shard", 32] if ending == "zarr" else []
    assert landform("build", "fbm", "--size", SIZE, "-q", "-o", sound, *more)[0]
    names = sorted(path for path in sound.rglob("*") if path.is_file()) if sound.is_dir() else [sound]
    whole, _ = ours(sound, folder / "ours.npy")
    tally, reasons, faults = collections.Counter(), collections.Counter(), []
    for number in range(COUNT):
        path = folder / f"damaged.{ending}"
        shutil.rmtree(path, ignore_errors=True)
        data = None
        if sound.is_dir():
            shutil.copytree(sound, path)
            name = chance.choice(names)
            data = name.read_bytes()
            place = path / name.relative_to(sound)
        else:
            data, place = sound.read_bytes(), path
        # The first is as it was.
        place.write_bytes(damaged(data, chance) if number else data)
        mine, talk = ours(path, folder / "ours.npy")
        other = theirs(reader, path, folder / "theirs.npy")
        if mine is None and other is None:
            tally["both refuse"] += 1
        elif mine is None:
            tally["only they read"] += 1
            reasons[reason(talk)] += 1
        elif other is None:
            tally["only we read"] += 1
            if not np.array_equal(mine, whole, equal_nan=True):
                faults.append((number, "they refuse", place))
        elif mine.shape == other.shape and np.array_equal(mine, other, equal_nan=True):
            tally["both read the same"] += 1
        else:
            tally["other samples"] += 1
            faults.append((number, "other samples", place))
        for n, what, _ in faults:
            if n == number:
                shutil.copy(place, folder / f"bad-{number}.{ending}") if place.is_file() else None
                print(f"{ending} {number}: {what}")
    print(f"{ending}: {', '.join(f'{what} {count}' for what, count in sorted(tally.items()))}")
    for text, count in reasons.most_common(4):
        print(f"    {count} × {text}")
    return len(faults)


def main():
    scratch = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(tempfile.mkdtemp())
    folder = scratch / "damage"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wrong = sum(run(folder, ending, reader) for ending, reader in FORMATS.items())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
