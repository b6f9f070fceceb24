"""The desktop's picture: each desktop is asked as its own programs are, and has its picture back in the end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.hosting import need, screen, x_server

from demo.app import wallpaper
from demo.hosts import root_picture

PICTURE = np.zeros((48, 64, 3), np.uint8)
PICTURE[:, :32] = 200, 30, 10
# Keeps what it is told in files of its own, as the settings of a desktop do.
GSETTINGS = """#!/bin/sh
store="$STORE/$2.$3"
case "$1" in
  get) test -e "$store" && cat "$store" ;;
  set) printf '%s\\n' "$4" > "$store" ;;
esac
"""
XFCONF = """#!/bin/sh
test "$1 $2" = "-c xfce4-desktop" || exit 1
row="/backdrop/screen0/monitor0/workspace0/last-image"
case "$3" in
  -l) echo /backdrop/screen0/monitor0/workspace0/image-style; echo "$row" ;;
  -p) test "$4" = "$row" || exit 1
      if test "$5" = -s; then printf '%s\\n' "$6" > "$STORE/xfce"; else cat "$STORE/xfce"; fi ;;
esac
"""
PLASMA = '#!/bin/sh\nprintf "%s\\n" "$1" > "$STORE/kde"\n'
SWAYMSG = '#!/bin/sh\nprintf "%s\\n" "$*" > "$STORE/sway"\n'
APPLETS = """[Containments][1][Wallpaper][org.kde.color][General]
Image=not this
[Containments][1][Wallpaper][org.kde.image][General]
FillMode=2
Image=file:///usr/share/wallpapers/Next/
"""
GNOME = "org.gnome.desktop.background.picture-uri"
# Desktop: its program, what is in its store before, and what is then for a picture, and after it is restored.
DESKTOPS = {
    "GNOME": ("gsettings", GSETTINGS, {GNOME: "'file:///old.jpg'"}, {GNOME: '"{uri}"'}, {}),
    "ubuntu:GNOME": ("gsettings", GSETTINGS, {GNOME: "''", f"{GNOME}-dark": "'d'"}, {f"{GNOME}-dark": '"{uri}"'}, {}),
    "MATE": (
        "gsettings",
        GSETTINGS,
        {"org.mate.background.picture-filename": "'/old.jpg'"},
        {"org.mate.background.picture-filename": '"{path}"'},
        {},
    ),
    "XFCE": ("xfconf-query", XFCONF, {"xfce": "/old.jpg"}, {"xfce": "{path}"}, {}),
    "KDE": ("plasma-apply-wallpaperimage", PLASMA, {}, {"kde": "{path}"}, {"kde": "/usr/share/wallpapers/Next/"}),
    "sway": ("swaymsg", SWAYMSG, {}, {"sway": 'output * bg "{path}" fill'}, {"sway": "reload"}),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of its own, with programs in front of the path and a store for their settings."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "STORE", "BIN"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    for name in ("SWAYSOCK", "WAYLAND_DISPLAY", "DISPLAY", "XDG_CURRENT_DESKTOP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'BIN'}:{os.environ['PATH']}")
    (tmp_path / "XDG_CONFIG_HOME" / "plasma-org.kde.plasma.desktop-appletsrc").write_text(APPLETS)
    return tmp_path


def stored(home: Path) -> dict[str, str]:
    return {path.name: path.read_text().strip() for path in (home / "STORE").iterdir()}


@pytest.mark.parametrize(("desktop", "row"), DESKTOPS.items(), ids=DESKTOPS)
def test_a_desktop_wears_the_picture_and_has_its_own_back(home, monkeypatch, desktop, row):
    program, script, before, expected, restored = row
    (home / "BIN" / program).write_text(script)
    (home / "BIN" / program).chmod(0o755)
    for name, text in before.items():
        (home / "STORE" / name).write_text(f"{text}\n")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", desktop)
    file = home / "my picture.png"
    # The second time, what is there is ours and not what is remembered.
    for _ in range(2):
        wallpaper.wear(file, PICTURE)
    now = stored(home)
    for name, text in expected.items():
        assert now[name] == text.format(path=file, uri=file.as_uri())
    assert wallpaper.restore()
    assert stored(home) == {**before, **restored}
    assert not wallpaper.memory_file().exists() and not wallpaper.restore()


def test_a_desktop_that_is_not_known_is_left_alone_and_that_is_said(home, capsys):
    wallpaper.wear(home / "last.png", PICTURE)
    assert "--wallpaper knows GNOME" in capsys.readouterr().err and not wallpaper.memory_file().exists()


def test_the_root_window_wears_it_until_it_is_restored(home, monkeypatch):
    need("Xvfb", "xprop")
    with x_server() as display:
        monkeypatch.setenv("DISPLAY", display)

        def shown() -> list[int]:
            picture = screen(display)
            return picture[picture.shape[0] // 2, picture.shape[1] // 4].tolist()

        def told() -> str:
            return subprocess.run(["xprop", "-root", "_XROOTPMAP_ID"], capture_output=True, text=True, check=True).stdout

        blank = shown()
        wallpaper.wear(home / "last.png", PICTURE)
        assert shown() == [200, 30, 10]
        assert int(told().split()[-1], 16) == root_picture.pixmap_now() != 0
        # A newer one, after which the old one is freed; then what was there before anybody asked.
        wallpaper.wear(home / "last.png", PICTURE + np.uint8(5))
        assert shown() == [205, 35, 15]
        assert wallpaper.restore()
        assert "not found" in told() or "no such atom" in told()
        assert shown() == blank
