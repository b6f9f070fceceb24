"""The desktop's picture: the last one of a screensaver, and the one before it, which is remembered and restored.

Only the programs that a desktop brings along for it are asked. A session without a desktop has its X root window.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..process.stderr import say
from ..process.user_folders import settings_home, state_home

if TYPE_CHECKING:
    import numpy as np

# The longest that a program of a desktop may take, seconds.
PATIENCE_S = 5.0
Values = dict[str, str]


@dataclass(frozen=True)
class Desktop:
    """`names`: of those in XDG_CURRENT_DESKTOP that it stands for, in small letters. `program`: what it is asked by.

    `now()`: the picture as it is; `wear(file)` has another one; `restore(before)` has the one that `now` told of.
    """

    names: tuple[str, ...]
    program: str
    now: Callable[[], Values]
    wear: Callable[[str], None]
    restore: Callable[[Values], None]


def picture_file() -> Path:
    """The last picture of a screensaver; it need not be there."""
    return state_home() / "landfall" / "last.png"


def memory_file() -> Path:
    """What the desktop had before; it is there as long as it has our picture."""
    return state_home() / "landfall" / "wallpaper.json"


def wear(file: Path, picture: np.ndarray) -> None:
    """Makes a picture, uint8 (height, width, 3), which is also in `file`, that of the desktop. Says where there is none."""
    desktop = _desktop()
    memory = _remembered()
    if desktop:
        if not memory:
            _remember({"desktop": desktop.names[0], "before": desktop.now()})
        desktop.wear(str(file))
    elif os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        _wear_root(picture, memory)
    else:
        say("this desktop's picture cannot be set: --wallpaper knows GNOME, Cinnamon, MATE, KDE, Xfce, sway and plain X")


def restore() -> bool:
    """Gives the desktop its own picture back and forgets ours; True where there was something to restore."""
    memory = _remembered()
    if memory:
        with contextlib.suppress(OSError, RuntimeError, subprocess.SubprocessError):
            if memory["desktop"] == "x":
                from ..hosts import root_picture  # brings numpy along

                root_picture.wear_again(int(memory["before"]["pixmap"]), int(memory["ours"]))
            else:
                _named(memory["desktop"]).restore(memory["before"])
    for path in (memory_file(), picture_file()):
        with contextlib.suppress(OSError):
            path.unlink()
    return bool(memory)


def _wear_root(picture: np.ndarray, memory: dict) -> None:
    from ..hosts import root_picture

    before = memory.get("before") or {"pixmap": str(root_picture.pixmap_now())}
    ours = root_picture.show_picture(picture, int(memory.get("ours", 0)))
    _remember({"desktop": "x", "before": before, "ours": ours})


def _desktop() -> Desktop | None:
    """The present one, if the program that it is asked by is there."""
    present = [name.lower() for name in os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")]
    if os.environ.get("SWAYSOCK"):
        present.append("sway")
    found = (row for row in DESKTOPS if set(row.names) & set(present) and shutil.which(row.program))
    return next(found, None)


def _named(name: str) -> Desktop:
    return next(row for row in DESKTOPS if row.names[0] == name)


def _remembered() -> dict:
    try:
        found = json.loads(memory_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and "desktop" in found and "before" in found else {}


def _remember(what: dict) -> None:
    path = memory_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(what), encoding="utf-8")
    unfinished.replace(path)


def _asked(*command: str) -> str:
    """What a program prints; "" where it fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _by_gsettings(names: tuple[str, ...], schema: str, keys: tuple[str, ...], as_uri: bool = True) -> Desktop:
    """A desktop that keeps its picture in these keys of a schema. Values are GVariant texts, as gsettings takes them."""

    def now() -> Values:
        return {key: value for key in keys if (value := _asked("gsettings", "get", schema, key))}

    def change(values: Values) -> None:
        for key, value in values.items():
            _asked("gsettings", "set", schema, key, value)

    def put_on(file: str) -> None:
        # GVariant's text of a string is that of JSON where it is printable.
        change(dict.fromkeys(now(), json.dumps(Path(file).as_uri() if as_uri else file)))

    return Desktop(names, "gsettings", now, put_on, change)


XFCE = ("xfconf-query", "-c", "xfce4-desktop")


def _xfce_now() -> Values:
    rows = [row for row in _asked(*XFCE, "-l").splitlines() if row.endswith("/last-image")]
    return {row: _asked(*XFCE, "-p", row) for row in rows}


def _xfce_change(values: Values) -> None:
    for row, file in values.items():
        _asked(*XFCE, "-p", row, "-s", file)


def _kde_now() -> Values:
    """The first picture in the file in which Plasma keeps its desktop."""
    try:
        text = (settings_home() / "plasma-org.kde.plasma.desktop-appletsrc").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    section = ""
    for line in text.splitlines():
        section = line if line.startswith("[") else section
        if "[Wallpaper][org.kde.image]" in section and line.startswith("Image="):
            return {"image": line.removeprefix("Image=").removeprefix("file://")}
    return {}


def _kde_wear(file: str) -> None:
    _asked("plasma-apply-wallpaperimage", file)


def _kde_restore(before: Values) -> None:
    if "image" in before:
        _kde_wear(before["image"])


def _sway_wear(file: str) -> None:
    quoted = file.replace("\\", "\\\\").replace('"', '\\"')
    _asked("swaymsg", f'output * bg "{quoted}" fill')


def _sway_restore(before: Values) -> None:
    # Sway does not tell what it shows, but its file does.
    _asked("swaymsg", "reload")


DESKTOPS = (
    _by_gsettings(("gnome", "unity", "budgie"), "org.gnome.desktop.background", ("picture-uri", "picture-uri-dark")),
    _by_gsettings(("x-cinnamon", "cinnamon"), "org.cinnamon.desktop.background", ("picture-uri",)),
    _by_gsettings(("mate",), "org.mate.background", ("picture-filename",), as_uri=False),
    Desktop(("xfce",), "xfconf-query", _xfce_now, lambda file: _xfce_change(dict.fromkeys(_xfce_now(), file)), _xfce_change),
    Desktop(("kde",), "plasma-apply-wallpaperimage", _kde_now, _kde_wear, _kde_restore),
    Desktop(("sway",), "swaymsg", dict, _sway_wear, _sway_restore),
)
