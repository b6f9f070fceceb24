"""A world's heights as a file: numpy arrays, a 16-bit picture with its scale beside it, or a float picture."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.heightfield import HeightField
from ..worlds.parameters import ParameterError
from .files import replacing

GREY_MAX = 65_535
PIECE = 1 << 18
IMAGE_DESCRIPTION = 270


def write(path: Path, field: HeightField) -> None:
    """`field` as the file that `path`'s ending asks for; raises ParameterError for other endings, ExportError."""
    writer_of(path)(path, field)


def writer_of(path: Path) -> Callable[[Path, HeightField], None]:
    """The writer for `path`'s ending; raises ParameterError."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ParameterError(f"{path} is no height map that can be written: end the name in {', '.join(WRITERS)}")
    return writer


def write_npz(path: Path, field: HeightField) -> None:
    """Plain arrays, no pickles: `arrays`, and `positions` float64 (faces, n, n, 3), `atlas.positions`."""
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays(field).items():
            with _entry(archive, name) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)
        _write_positions(archive, field.atlas, field.n)


def _write_positions(archive: zipfile.ZipFile, atlas: Atlas, n: int) -> None:
    """`positions` piece by piece: as a whole, with what numpy needs to compute it, it is twenty times the heights."""
    copies, owners = atlas.seams(n)
    order = np.argsort(copies)
    copies, owners = copies[order], owners[order]
    with _entry(archive, "positions") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (atlas.faces, n, n, 3)}
        np.lib.format.write_array_header_1_0(file, header)
        for first in range(0, atlas.faces * n * n, PIECE):
            index = np.arange(first, min(first + PIECE, atlas.faces * n * n))
            # A sample on a seam is its owner's point, bit for bit.
            here = slice(*np.searchsorted(copies, (index[0], index[-1] + 1)))
            index[copies[here] - first] = owners[here]
            face, (row, column) = index // (n * n), np.divmod(index % (n * n), n)
            file.write(atlas.place(face, column / (n - 1), row / (n - 1)).astype("<f8").tobytes())


def _entry(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    return archive.open(f"{name}.npy", "w", force_zip64=True)


def write_png(path: Path, field: HeightField) -> None:
    """16-bit grey, `sheet`'s layout, and NAME.json beside it: height = offset + scale * value."""
    grey, offset, scale = quantise(sheet(field.heights))
    notes = {**description(field), "offset": offset, "scale": scale}
    with replacing(path.with_suffix(".json")) as side_car, replacing(path) as temporary:
        side_car.write_text(json.dumps(notes, indent=2) + "\n", encoding="utf-8")
        _save_image(grey, temporary, "PNG")


def write_tif(path: Path, field: HeightField) -> None:
    """32-bit float grey in the unit of heights, `sheet`'s layout; the description as JSON in the TIFF's own."""
    with replacing(path) as temporary:
        words = json.dumps(description(field))
        _save_image(sheet(field.heights), temporary, "TIFF", tiffinfo={IMAGE_DESCRIPTION: words})


WRITERS: dict[str, Callable[[Path, HeightField], None]] = {
    ".npz": write_npz,
    ".png": write_png,
    ".tif": write_tif,
    ".tiff": write_tif,
}


def arrays(field: HeightField) -> dict[str, np.ndarray]:
    """What an .npz holds besides `positions`.

    `heights` float32 (faces, n, n), not clamped at the sea; `sea_level` and `radius` or `extent` in the unit of heights;
    strings `atlas`, `unit`, `code`, `parameters` (JSON); `seed`.
    """
    return {
        "heights": np.asarray(field.heights, np.float32),
        "sea_level": np.float64(field.sea_level),
        size_name(field): np.float64(field.size),
        "atlas": np.str_(field.atlas.name),
        "unit": np.str_(field.unit),
        "code": np.str_(field.code),
        "parameters": np.str_(json.dumps(field.parameters)),
        "seed": _seed_array(field.seed),
    }


def description(field: HeightField) -> dict[str, Any]:
    """All of a field but its heights, for JSON; `face_size` and `faces` say how `sheet` is cut."""
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
    """What the size of a world on this atlas is called."""
    return "radius" if field.atlas.spherical else "extent"


def sheet(heights: np.ndarray) -> np.ndarray:
    """The faces side by side, the first one left: (faces, n, n) as (n, faces * n)."""
    return np.ascontiguousarray(np.concatenate(list(heights), axis=1))


def quantise(heights: np.ndarray) -> tuple[np.ndarray, float, float]:
    """(uint16 values, offset, scale): the lowest height is 0 and the highest 65535; a level world is 0 with scale 1."""
    low, high = float(heights.min()), float(heights.max())
    scale = (high - low) / GREY_MAX or 1.0
    return np.rint((heights.astype(np.float64) - low) / scale).astype(np.uint16), low, scale


def _seed_array(seed: int) -> np.ndarray:
    """Any integer; one of more than 64 bits as what it stands for modulo 2^64, because numpy would pickle it."""
    small = -(2**63) <= seed < 2**63
    return np.array(seed, np.int64) if small else np.array(seed % 2**64, np.uint64)


def _save_image(pixels: np.ndarray, path: Path, form: str, **options: Any) -> None:
    from PIL import Image

    with open(path, "wb") as file:
        Image.fromarray(pixels).save(file, format=form, **options)
