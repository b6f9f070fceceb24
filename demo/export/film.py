"""Films: pictures as an MP4, or as PNG files in a folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..process.installation import how_to_get
from ..worlds.parameters import ParameterError
from .files import ExportError, check_folder, check_place, replacing, replacing_folder
from .picture import save_png

# PyAV is optional, so the functions that encode import it themselves.
if TYPE_CHECKING:
    import av
    from av.container import OutputContainer

MISSING = (
    f"av (PyAV), which writes MP4, is missing: {how_to_get('requirements-film.txt', ['av'])}, or give a folder for frames"
)
# The bytes that x264 writes depend on the number of its threads, so that number is fixed and not the machine's.
THREADS = 4
# No macroblock tree: in narrow pictures its vector code reads past the ends of rows, so the same film came out in other
# bytes when the memory there had held other values.
H264_OPTIONS = {"preset": "medium", "crf": "17", "mbtree": "0"}
BITS_PER_PIXEL_MPEG4 = 0.35
BT709 = 1
FRAME_NAME = "frame-{:06d}.png"


def has_av() -> bool:
    """Whether PyAV is installed."""
    return importlib.util.find_spec("av") is not None


def check(path: Path, size: tuple[int, int]) -> None:
    """Raises ParameterError or ExportError when no film of `size` (width, height) can be written to `path`."""
    if path.suffix.lower() == ".mp4":
        if size[0] % 2 or size[1] % 2:
            raise ParameterError(f"--size {size[0]}x{size[1]} is not possible for MP4: make both even, or give a folder")
        check_place(path)
        if not has_av():
            raise ExportError(MISSING)
    elif path.suffix and not path.is_dir():
        raise ParameterError(f"{path} is no film that can be written: end the name in .mp4, or give a folder for PNG frames")
    else:
        check_folder(path)


def write(path: Path, pictures: Iterable[np.ndarray], fps: int, size: tuple[int, int]) -> None:
    """Writes an MP4, or a folder of PNG files when `path` has no ending. The same pictures give the same bytes.

    `pictures`: uint8 (height, width, 3), all of `size` (width, height). Raises ExportError.
    """
    if path.suffix.lower() == ".mp4":
        write_mp4(path, pictures, fps, size)
    else:
        write_frames(path, pictures)


def write_frames(path: Path, pictures: Iterable[np.ndarray], ours: bool = False) -> None:
    """Writes frame-000000.png, ... in the new folder `path`; replaces an old folder when it is `ours`."""
    with replacing_folder(path, ours) as folder:
        for number, picture in enumerate(pictures):
            save_png(folder / FRAME_NAME.format(number), picture)


def write_mp4(path: Path, pictures: Iterable[np.ndarray], fps: int, size: tuple[int, int]) -> None:
    """Writes H.264, or MPEG-4 where FFmpeg has no encoder for it: 4:2:0, BT.709, `size` (width, height) even."""
    import av

    with replacing(path) as temporary:
        try:
            _encode(temporary, pictures, fps, size)
        except av.error.FFmpegError as error:
            if isinstance(error, OSError):
                raise
            raise ExportError(f"cannot write {path} ({error}): choose another size, or a folder for PNG frames") from None


def _encode(path: Path, pictures: Iterable[np.ndarray], fps: int, size: tuple[int, int]) -> None:
    import av

    # Opened here and not by FFmpeg: a full disk is then an ordinary error of Python's.
    with open(path, "wb") as file, av.open(file, "w", format="mp4", options={"fflags": "+bitexact"}) as container:
        stream = _stream(container, fps, size)
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
            frame = frame.reformat(format="yuv420p", dst_colorspace="ITU709")
            frame.pts, frame.time_base = number, Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def _stream(container: OutputContainer, fps: int, size: tuple[int, int]) -> av.VideoStream:
    import av

    h264 = "libx264" in av.codecs_available
    stream = container.add_stream("libx264" if h264 else "mpeg4", rate=fps, options=H264_OPTIONS if h264 else {})
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    codec = stream.codec_context
    codec.time_base = Fraction(1, fps)
    codec.thread_count = THREADS if h264 else 1
    codec.flags |= av.codec.context.Flags.bitexact
    codec.colorspace = codec.color_primaries = codec.color_trc = BT709
    if not h264:
        codec.bit_rate = int(size[0] * size[1] * fps * BITS_PER_PIXEL_MPEG4)
    return stream
