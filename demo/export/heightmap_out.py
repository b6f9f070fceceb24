"""A world's heights as a file: numpy arrays, a grey PNG with its scale beside it, or a float TIFF."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import numpy as np

from ..worlds.atlas import DOUBLE_CONE, Atlas
from ..worlds.doublecone import global_mesh
from ..worlds.heightfield import HeightField
from ..worlds.parameters import ParameterError
from .files import check_place, replacing, replacing_all

GREY_MAX = 65_535
# The unit of heights that are whole numbers in 0..255.
BYTE = "byte"
PIECE = 1 << 18
IMAGE_DESCRIPTION = 270


def write(path: Path, field: HeightField, packed: bool = False, layers: Mapping[str, np.ndarray] | None = None) -> None:
    """Writes `field` in the format of `path`'s ending; `packed`: an .npz with `packed_arrays` besides. `layers`: arrays that
    an .npz holds besides, by name; other formats leave them out.

    Raises ParameterError for an unknown ending, and ExportError.
    """
    if path.suffix.lower() == ".npz":
        write_npz(path, field, {**(packed_arrays(field) if packed else {}), **(layers or {})})
    else:
        writer_of(path)(path, field)


def check(path: Path, packed: bool = False, climate: bool = False) -> None:
    """Raises ParameterError for an unknown ending, and ExportError when no height map can be written to `path`.

    `packed`, `climate`: whether arrays were asked for that only an .npz can hold.
    """
    writer_of(path)
    for option, given in (("--packed", packed), ("--climate", climate)):
        if given and path.suffix.lower() != ".npz":
            raise ParameterError(f"{option} adds arrays to an .npz, not to {path}: end the name in .npz")
    for place in (path, side_car_of(path)) if path.suffix.lower() == ".png" else (path,):
        check_place(place)


def side_car_of(path: Path) -> Path:
    """The file beside a PNG of heights, which holds its scale."""
    return path.with_suffix(".json")


def writer_of(path: Path) -> Callable[[Path, HeightField], None]:
    """The function that writes files with `path`'s ending; raises ParameterError for an unknown one."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ParameterError(f"{path} is no height map that can be written: end the name in {', '.join(WRITERS)}")
    return writer


def write_npz(path: Path, field: HeightField, more: Mapping[str, np.ndarray] | None = None) -> None:
    """Writes `arrays`, `more` of them, and as `positions` the float64 (faces, n, n, 3) of `atlas.positions`; no pickles."""
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in {**arrays(field), **(more or {})}.items():
            with _entry(archive, name) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)
        _write_positions(archive, field.atlas, field.n)


def _write_positions(archive: zipfile.ZipFile, atlas: Atlas, n: int) -> None:
    """Writes `positions` in pieces: computed as a whole it would take twenty times the memory of the heights."""
    copies, owners = atlas.seams(n)
    order = np.argsort(copies)
    copies, owners = copies[order], owners[order]
    with _entry(archive, "positions") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (atlas.faces, n, n, 3)}
        np.lib.format.write_array_header_1_0(file, header)
        for first in range(0, atlas.faces * n * n, PIECE):
            index = np.arange(first, min(first + PIECE, atlas.faces * n * n))
            # A sample on a seam has the position of its owner, bit for bit.
            here = slice(*np.searchsorted(copies, (index[0], index[-1] + 1)))
            index[copies[here] - first] = owners[here]
            face, (row, column) = index // (n * n), np.divmod(index % (n * n), n)
            file.write(atlas.place(face, column / (n - 1), row / (n - 1)).astype("<f8").tobytes())


def _entry(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    return archive.open(f"{name}.npy", "w", force_zip64=True)


def write_png(path: Path, field: HeightField) -> None:
    """Writes `sheet` as 16-bit grey, and NAME.json beside it: height = offset + scale * grey.

    Heights that are bytes are the greys of an 8-bit picture.
    """
    # Pillow is loaded only where a picture is written: an .npz does without it.
    from .picture import save_png

    heights = sheet(field.heights)
    grey, offset, scale = (np.rint(heights).astype(np.uint8), 0.0, 1.0) if field.unit == BYTE else quantise(heights)
    notes = {**description(field), "offset": offset, "scale": scale}
    with replacing_all((path, side_car_of(path))) as (temporary, side_car):
        side_car.write_text(json.dumps(notes, indent=2) + "\n", encoding="utf-8")
        save_png(temporary, grey)


def write_tiff(path: Path, field: HeightField) -> None:
    """Writes `sheet` as 32-bit float grey in the unit of heights, with `description` as JSON in the TIFF's description."""
    # As in `write_png`.
    from PIL import Image

    words = json.dumps(description(field))
    with replacing(path) as temporary, open(temporary, "wb") as file:
        # Without the file's number, to which Pillow writes past Python and takes half a write for a whole one.
        stream: Any = SimpleNamespace(write=file.write, seek=file.seek, tell=file.tell, flush=file.flush)
        Image.fromarray(sheet(field.heights)).save(stream, format="TIFF", tiffinfo={IMAGE_DESCRIPTION: words})


WRITERS: dict[str, Callable[[Path, HeightField], None]] = {
    ".npz": write_npz,
    ".png": write_png,
    ".tif": write_tiff,
    ".tiff": write_tiff,
}


def arrays(field: HeightField) -> dict[str, np.ndarray]:
    """What an .npz holds besides `positions`, by name.

    `heights`: float32 (faces, n, n), not clamped at the sea. `sea_level`, and `radius` or `extent`: float64, in the unit of
    heights. `atlas`, `unit`, `code`, `parameters` (JSON): strings. `seed`: int64 or uint64.
    """
    return {
        "heights": np.asarray(field.heights, np.float32),
        "sea_level": np.array(field.sea_level, np.float64),
        size_name(field): np.array(field.size, np.float64),
        "atlas": np.array(field.atlas.name),
        "unit": np.array(field.unit),
        "code": np.array(field.code),
        "parameters": np.array(json.dumps(field.parameters)),
        "seed": _seed_array(field.seed),
    }


def check_packed(atlas: Atlas) -> None:
    """Raises ParameterError unless worlds on `atlas` have `packed_arrays`."""
    if atlas is not DOUBLE_CONE:
        raise ParameterError(f"--packed is for worlds on the double cone, not for atlas={atlas.name}")


def packed_arrays(field: HeightField) -> dict[str, np.ndarray]:
    """A world on the double cone in the form of its article: no height twice. Raises ParameterError on another atlas.

    `packed`: float32 (N, 4 N), as `global_mesh.pack` lays it out; `poles`: float32 (2,), north and south, which it lacks.
    """
    check_packed(field.atlas)
    mesh = global_mesh.from_faces(np.asarray(field.heights, np.float32))
    return {"packed": global_mesh.pack(mesh, field.n - 1), "poles": mesh[[0, -1]]}


def description(field: HeightField) -> dict[str, Any]:
    """All of a field but its heights, for JSON; `faces` and `face_size` say how `sheet` divides into faces."""
    return {
        "atlas": field.atlas.name,
        "code": field.code,
        "face_size": field.n,
        "faces": field.atlas.faces,
        "parameters": field.parameters,
        size_name(field): field.size,
        "sea_level": field.sea_level,
        "seed": field.seed,
        "unit": field.unit,
    }


def size_name(field: HeightField) -> str:
    """The name of a world's size: "radius" of a sphere, "extent" of a plane."""
    return "radius" if field.atlas.spherical else "extent"


def sheet(heights: np.ndarray) -> np.ndarray:
    """The faces side by side from the left: float32 (faces, n, n) as (n, faces * n)."""
    return np.ascontiguousarray(np.concatenate(list(heights), axis=1))


def quantise(heights: np.ndarray) -> tuple[np.ndarray, float, float]:
    """(grey, offset, scale): uint16, 0 at the lowest height and 65535 at the highest; a level world is 0 with scale 1."""
    low, high = float(heights.min()), float(heights.max())
    scale = (high - low) / GREY_MAX or 1.0
    return np.rint((heights.astype(np.float64) - low) / scale).astype(np.uint16), low, scale


def _seed_array(seed: int) -> np.ndarray:
    """Any integer as a number of 64 bits; larger ones are taken modulo 2^64, because numpy would pickle them."""
    small = -(2**63) <= seed < 2**63
    return np.array(seed, np.int64) if small else np.array(seed % 2**64, np.uint64)
