"""The command line from outside: what it prints, writes and returns. One line for every error, and never a traceback."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image
from support.plain_flights import make_plain
from support.program import ROOT, complaint, environment, landfall
from support.shared_worlds import SharedWorlds

from demo import __version__
from demo.app import cli, scenes_command
from demo.app.commands import COMMANDS
from demo.app.settings import settings_of
from demo.app.show_options import show_options
from demo.catalogue.generators import GENERATORS
from demo.scenes.scenes import SCENES
from demo.tables.looks import LOOKS
from demo.tables.quality import QUALITIES
from demo.worlds.parameters import ParameterError

SMALL = ("--set", "cells=16")


# --- words -------------------------------------------------------------------------------------------------------------


def test_help():
    result = landfall("--help")
    assert result.returncode == 0 and result.stderr == ""
    assert all(f"  {command} " in result.stdout for command in COMMANDS)
    assert landfall("--version").stdout == f"landfall {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command):
    result = landfall(command, "--help")
    assert result.returncode == 0 and result.stderr == ""
    assert "examples:\n  python main.py" in result.stdout
    assert all(setting.option in result.stdout for setting in settings_of(command))


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_the_help_are_understood(command):
    for example in COMMANDS[command].examples:
        assert cli.parse(example.split()).command == command


def test_scenes():
    result = landfall("scenes")
    assert result.returncode == 0 and result.stderr == ""
    for name, generator in GENERATORS.items():
        assert f"{name}: {generator.title}" in result.stdout
        for parameter in generator.parameters:
            assert f"  {parameter.name}" in result.stdout and parameter.describe() in result.stdout


WRONG = {
    "command": (["fly"], "there is no command 'fly'"),
    "option": (["show", "--altitude", "3"], "--altitude"),
    "option without a command": (["--altitude"], "--altitude"),
    "surplus word": (["scenes", "all"], "'all'"),
    "abbreviation": (["show", "--full"], "--full"),
    "option without a value": (["still", "a.png", "--seed"], "--seed"),
    "missing file": (["grow", "plasma"], "OUT"),
    "seed": (["show", "--seed", "1.5"], "--seed=1.5"),
    "size": (["show", "--size", "1280"], "--size=1280"),
    "small size": (["show", "--size", "15x100"], "from 16 to 16384"),
    "large size": (["film", "a.mp4", "--size", "16386x100"], "from 16 to 16384"),
    "frames a second": (["film", "a.mp4", "--fps", "0"], "--fps=0"),
    "time": (["still", "a.png", "--time", "-1"], "--time=-1"),
    "no number": (["still", "a.png", "--time", "nan"], "--time=nan"),
    "look": (["show", "--look", "pretty"], " or ".join(LOOKS)),
    "quality": (["show", "--quality", "best"], " or ".join(QUALITIES)),
    "quality of a still": (["still", "a.png", "--quality", "HIGH"], "--quality=HIGH"),
    "window": (["--window-id", "mine"], "--window-id=mine"),
    "scene of the show": (["show", "--scene", "moon"], "no scene 'moon'"),
    "scene of a still": (["still", "a.png", "--scene", "tour"], "no scene 'tour'"),
    "parameter without a scene": (["show", "--set", "cells=64"], "SCENE.NAME=VALUE"),
    "parameter of no scene": (["show", "--set", "moon.cells=64"], "moon"),
    "unknown parameter": (["still", "a.png", "--set", "plasma.hue=1"], "'hue'"),
    "value out of range": (["film", "a.mp4", "--set", "plasma.roughness=9"], "from 0 to 2"),
    "generator": (["grow", "moon", "a.npz"], "no generator 'moon'"),
    "parameter of a generator": (["grow", "plasma", "a.npz", "--set", "hue=1"], "'hue'"),
    "code of another generator": (["grow", "plasma", "a.npz", "--code", "cuts-5-7"], "write grow cuts"),
    "code and seed": (["grow", "plasma", "a.npz", "--code", "plasma-3-7", "--seed", "7"], "--code and --seed both"),
    "code and parameter": (["grow", "plasma", "a.npz", "--code", "plasma-3-7", "--set", "cells=16"], "already gives cells"),
    "code of nothing": (["grow", "plasma", "a.npz", "--code", "plasma"], "the world code 'plasma' cannot be read"),
    "code of another version": (["still", "a.png", "--code", "plasma-99-7"], "the world code 'plasma-99-7' cannot be read"),
    "code and another scene": (["still", "a.png", "--code", "plasma-3-7", "--scene", "cuts"], "leave --scene out"),
    "code and the tour": (["film", "a.mp4", "--code", "plasma-3-7", "--scene", "tour"], "leave --scene out"),
    "code and seed of a still": (["still", "a.png", "--code", "plasma-3-7", "--seed", "1"], "--code and --seed both"),
    "code and parameter of the show": (["show", "--code", "cuts-5-7", "--set", "cuts.cuts=9"], "already gives cuts"),
    "code and height map": (["show", "--code", "cuts-5-7", "--heightmap", "a.png"], "--code and --heightmap both"),
    "pair": (["grow", "plasma", "a.npz", "--set", "cells"], "NAME=VALUE"),
    "no window": (["grow", "particles", "a.npz", "--set", "window.1=disc,0.5"], "it takes SHAPE,X,Z,SIZE_X,SIZE_Z"),
    "windows beside the map": (["grow", "particles", "a.npz", "--set", "window.1=disc,2,2,1,1"], "no window stands"),
    "ending of a height map": (["grow", "plasma", "a.obj"], ".npz"),
    "ending of a still": (["still", "a.jpg"], ".png"),
    "ending of a film": (["film", "a.gif"], ".mp4"),
    "odd size of a film": (["film", "a.mp4", "--size", "33x32"], "even"),
    "climate of a picture": (["grow", "plasma", "a.png", *SMALL, "--climate"], "--climate adds arrays to an .npz"),
    "step": (["grow", "plasma", "a.npz", *SMALL, "--at", "999"], "from 0 to"),
    "negative step": (["grow", "plasma", "a.npz", *SMALL, "--at", "-1"], "--at=-1"),
    "world from no file": (
        ["still", "a.png", "--scene", "map", "--set", "map.gn=2", "--set", "map.edits=no.json"],
        "could not be grown: cannot read no.json",
    ),
}


@pytest.mark.parametrize(("words", "expected"), WRONG.values(), ids=WRONG)
def test_wrong_words(tmp_path, words, expected):
    assert expected in complaint(landfall(*words, cwd=tmp_path), 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["fly\x1b]0;title\x07"], 2),
        (["scenes", "\x9b2J"], 2),
        (["show", "--scene", "\x1b[2J"], 2),
        (["grow", "plasma", "a.npz", "--set", "\x1b[31mcells=1"], 2),
        (["show", "--heightmap", "\u202e\udcff.png"], 2),
        (["still", "\x1b[2J/a.png"], 1),
    ],
)
def test_control_characters_do_not_reach_the_terminal(tmp_path, words, status):
    assert complaint(landfall(*words, cwd=tmp_path), status).rstrip("\n").isprintable()


@pytest.mark.parametrize("words", [["grow", "plasma", "no/a.npz"], ["still", "no/a.png"], ["film", "no/frames"]])
def test_places_that_do_not_exist(tmp_path, words):
    assert "cannot write" in complaint(landfall(*words, cwd=tmp_path), 1)


# --- grow --------------------------------------------------------------------------------------------------------------


def small(name):
    known = {"cells": "16", "gn": "3", "cuts": "50", "particles": "200", "octaves": "2"}
    own = {parameter.name for parameter in (SCENES[name].generator if name in SCENES else GENERATORS[name]).parameters}
    return [word for key, value in known.items() if key in own for word in ("--set", f"{key}={value}")]


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "heightmap"])
def test_grow_writes_what_the_generator_grows(tmp_path, name):
    words = small(name)
    result = landfall("grow", name, "a.npz", "--seed", "11", *words, cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "" and result.stdout == ""
    made = GENERATORS[name]
    given = {key: made_value(made, key, value) for key, value in (word.split("=") for word in words[1::2])}
    field = made.world(11, given)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        assert np.array_equal(arrays["heights"], field.heights)
        assert np.array_equal(arrays["positions"], field.atlas.positions(field.n))
        assert float(arrays["sea_level"]) == field.sea_level and np.isfinite(field.sea_level)
        assert float(arrays["radius" if field.atlas.spherical else "extent"]) == field.size
        assert str(arrays["code"]) == made.code(11, given) and str(arrays["unit"]) == field.unit
        assert json.loads(str(arrays["parameters"])) == made.complete(given)
        assert int(arrays["seed"]) == 11 and str(arrays["atlas"]) == field.atlas.name


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "heightmap"])
def test_the_code_in_a_file_grows_the_same_file(tmp_path, name):
    assert landfall("grow", name, "a.npz", "--seed", "-3", *small(name), cwd=tmp_path).returncode == 0
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        code = str(arrays["code"])
    result = landfall("grow", name, "b.npz", "--code", code, cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "", result
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def made_value(made, key, text):
    return next(parameter for parameter in made.parameters if parameter.name == key).parse(text)


def test_grow_at_a_step(tmp_path):
    result = landfall("grow", "plasma", "a.npz", *SMALL, "--at", "2", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "a.npz") as arrays:
        assert np.array_equal(arrays["heights"], GENERATORS["plasma"].world(1, {"cells": 16}, at=2).heights)


def test_grow_writes_climate_and_waters_of_carved_worlds_and_where_asked(tmp_path):
    layers = {"temperature_c", "rain_mm", "discharge_m3_s", "area_km2", "water_m"}
    for words, more in ((["--set", "carve=1"], {"sediment_m", "hardness"}), (["--climate"], set()), ([], None)):
        assert landfall("grow", "plasma", "a.npz", *SMALL, *words, cwd=tmp_path).returncode == 0
        with np.load(tmp_path / "a.npz") as archive:
            assert set(archive) & (layers | {"sediment_m", "hardness"}) == (set() if more is None else layers | more)
            assert all(archive[name].shape == archive["heights"].shape for name in layers & set(archive))


def test_grow_pictures(tmp_path):
    for name in ("a.png", "a.tif"):
        assert landfall("grow", "plasma", name, "--seed", "-5", *SMALL, cwd=tmp_path).returncode == 0
    heights = GENERATORS["plasma"].world(-5, {"cells": 16}).heights[0]
    with Image.open(tmp_path / "a.tif") as image:
        assert np.array_equal(np.asarray(image), heights)
    notes = json.loads((tmp_path / "a.json").read_text())
    with Image.open(tmp_path / "a.png") as image:
        np.testing.assert_allclose(notes["offset"] + notes["scale"] * np.asarray(image), heights, atol=notes["scale"])


def test_grow_needs_neither_window_nor_gl(tmp_path):
    code = (
        "import sys; from demo.app import cli; status = cli.main(sys.argv[1:])\n"
        "print(status, sorted({'pygame', 'OpenGL', 'demo.show.show'} & set(sys.modules)))"
    )
    words = ["grow", "plasma", str(tmp_path / "a.npz"), *SMALL]
    run = [sys.executable, "-c", code, *words]
    assert subprocess.run(run, cwd=ROOT, env=environment(), capture_output=True, text=True).stdout == "0 []\n"


def test_a_picture_does_without_the_wrappers_of_opengl(tmp_path):
    """They take 60 ms of a start, and 6 MB."""
    code = (
        "import sys; from demo.app import cli; status = cli.main(sys.argv[1:])\n"
        "from demo.hosts import offscreen\n"
        "with offscreen.context((8, 8)):\n"
        "    from demo.render.gl import gl_context, opengl as GL\n"
        "    found = bool(GL.glMaxShaderCompilerThreadsKHR) == gl_context.has('GL_KHR_parallel_shader_compile')\n"
        "    print(status, 'OpenGL.GL' in sys.modules, found, bool(GL.glReleaseShaderCompiler))"
    )
    words = [
        "still",
        str(tmp_path / "a.png"),
        "--scene",
        "plasma",
        "--set",
        "plasma.cells=16",
        "--time",
        "0",
        "--size",
        "32x18",
    ]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "0 False True True", "functions of extensions are found without them"


def test_a_bar_on_a_terminal_and_the_same_world(tmp_path):
    ours, theirs = pty.openpty()
    run = [sys.executable, str(ROOT / "main.py"), "grow", "plasma", "a.npz", *SMALL]
    with subprocess.Popen(run, cwd=tmp_path, env=environment(), stderr=theirs) as child:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 4096):
                seen += piece
        except OSError:  # the terminal's other end has closed
            pass
        assert child.wait(timeout=60) == 0
    os.close(ours)
    assert b"100 %" in seen and seen.endswith(b"\r\n")
    with np.load(tmp_path / "a.npz") as arrays:
        assert np.array_equal(arrays["heights"], GENERATORS["plasma"].world(1, {"cells": 16}).heights)


# --- pictures, films, the show -----------------------------------------------------------------------------------------


def test_still_twice_the_same_bytes(tmp_path):
    words = ("--scene", "plasma", "--seed", "3", "--time", "12.5", "--size", "96x64", "--set", "plasma.cells=32")
    for name in ("a.png", "b.png"):
        result = landfall("still", name, *words, cwd=tmp_path)
        assert result.returncode == 0 and result.stderr == "", result
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (96, 64) and image.mode == "RGB"
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_frame_of_a_film_is_the_still_of_its_time(tmp_path):
    words = ("--scene", "plasma", "--seed", "3", "--size", "96x64", "--set", "plasma.cells=32")
    film = landfall("film", "frames", *words, "--seconds", "1", "--fps", "4", cwd=tmp_path)
    still = landfall("still", "a.png", *words, "--time", "0.75", cwd=tmp_path)
    assert film.returncode == still.returncode == 0, (film, still)
    assert len(list((tmp_path / "frames").iterdir())) == 4
    assert (tmp_path / "frames" / "frame-000003.png").read_bytes() == (tmp_path / "a.png").read_bytes()


def test_a_code_chooses_scene_seed_and_parameters(tmp_path):
    """A code gives every parameter, so the scene's own values do not count."""
    where = ("--size", "96x64", "--time", "12.5")
    words = ("--scene", "cuts", "--seed", "3", "--set", "cuts.cells=16", "--set", "cuts.cuts=50")
    code = GENERATORS["cuts"].code(3, SCENES["cuts"].complete({"cells": 16, "cuts": 50}))
    assert landfall("still", "a.png", *words, *where, cwd=tmp_path).returncode == 0
    for name, more in {"b.png": (), "c.png": ("--scene", "cuts")}.items():
        result = landfall("still", name, "--code", code, *more, *where, cwd=tmp_path)
        assert result.returncode == 0 and result.stderr == "", result
        assert (tmp_path / "a.png").read_bytes() == (tmp_path / name).read_bytes()
    result = landfall("film", "frames", "--code", code, "--seconds", "13", "--fps", "2", "--size", "96x64", cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "", result
    assert (tmp_path / "frames" / "frame-000025.png").read_bytes() == (tmp_path / "a.png").read_bytes()


def test_the_world_of_the_date_is_said_by_its_code(tmp_path):
    dates = [datetime.now(UTC)]
    done = landfall("grow", "plasma", "a.npz", "--seed", "today", *SMALL, cwd=tmp_path)
    dates.append(datetime.now(UTC))
    with np.load(tmp_path / "a.npz") as arrays:
        assert int(arrays["seed"]) in [int(date.strftime("%Y%m%d")) for date in dates]
        assert done.stdout == f"{arrays['code']}\n"


@pytest.mark.parametrize("words", [["show"], ["show", "--set", "plasma.cells=16"], ["film", "x.mp4"], ["still", "x.png"]])
def test_a_code_is_the_world_of_the_show(words):
    options = show_options(cli.parse([*words, "--code", "simplex-5--4-octaves=2"]))
    assert (options.scene, options.seed) == ("simplex", -4)
    assert options.parameters["simplex"] == GENERATORS["simplex"].complete({"octaves": 2})
    assert options.parameters.get("plasma", {}) == ({"cells": 16} if "--set" in words else {})


def test_film_of_the_tour(tmp_path):
    av = pytest.importorskip("av")
    small_worlds = [word for name in SCENES if name != "heightmap" for word in scene_words(name)]
    result = landfall("film", "a.mp4", "--seconds", "4", "--fps", "2", "--size", "96x64", *small_worlds, cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "", result
    with av.open(str(tmp_path / "a.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) == 8


def scene_words(name):
    return ["--set" if word == "--set" else f"{name}.{word}" for word in small(name)]


@pytest.mark.parametrize("words", [["--fullscreen"], ["--saver"], ["show", "--saver", "--scene", "cuts"]])
def test_a_window_that_was_asked_for_needs_a_display(tmp_path, words):
    assert "no display" in complaint(landfall(*words, cwd=tmp_path), 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--root"], ["-root"], ["--window-id", "0x200001"]])
def test_a_hosts_window_needs_a_display(tmp_path, words):
    assert "display" in complaint(landfall(*words, cwd=tmp_path), 1).lower()


def test_the_show_without_a_display_becomes_files(tmp_path, monkeypatch, capsys):
    """In this process, so that the tour can be short and small, and its worlds are prepared once, plainly."""
    pytest.importorskip("av")
    from demo.app import tour

    make_plain(monkeypatch.setattr)
    filmed, frames = [], tour.frames
    monkeypatch.setattr(tour, "frames", lambda options, *words: filmed.append(options) or frames(options, *words))
    for name, value in {"TOUR_S": 2.0, "TOUR_FPS": 6, "TOUR_SIZE": (64, 36)}.items():
        monkeypatch.setattr(tour, name, value)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        words = [word for name in SCENES if name != "heightmap" for word in scene_words(name)]
        with SharedWorlds().shared():
            assert cli.main(words) == 0
            monkeypatch.setattr("demo.export.film.has_av", lambda: False)
            assert cli.main(words) == 0
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert [options.precompiler for options in filmed] == [None, None]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and all(line.startswith("landfall: no display") for line in lines)
    assert {path.name for path in tmp_path.iterdir()} == {tour.TOUR_FILM, tour.TOUR_FRAMES, tour.TOUR_SHEET}
    assert len(list((tmp_path / tour.TOUR_FRAMES).iterdir())) == 12


def test_doctor():
    result = landfall("doctor")
    assert result.returncode == 0 and result.stderr == "", result
    for name in (
        "Landfall",
        "Python",
        "numpy",
        "numba",
        "llvmlite",
        "pygame",
        "SDL",
        "OpenGL renderer",
        "kernel cache",
        "quality",
    ):
        assert f"\n{name}" in "\n" + result.stdout


# --- failures ----------------------------------------------------------------------------------------------------------


def fails_with(monkeypatch, capsys, error):
    def fail(arguments):
        raise error

    monkeypatch.setattr(scenes_command, "run", fail)
    status = cli.main(["scenes"])
    return status, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ParameterError("a is wrong:\n do b"), 2, "landfall: a is wrong: do b\n"),
        (RuntimeError("no display: plug one in"), 1, "landfall: no display: plug one in\n"),
        (OSError(28, "No space left on device", "a"), 1, "landfall: [Errno 28] No space left on device: 'a'\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_a_failure_is_one_line(monkeypatch, capsys, error, status, words):
    assert fails_with(monkeypatch, capsys, error) == (status, words)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'numpy'", name="numpy"), "numpy is missing"),
        (ModuleNotFoundError("No module named 'PIL.Image'", name="PIL.Image"), "Pillow is missing"),
        (ImportError("libGL.so.1: cannot open"), "libGL.so.1"),
        (MemoryError("Unable to allocate 9 TiB"), "not enough memory"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError"),
    ],
)
def test_a_failure_says_what_to_do(monkeypatch, capsys, error, words):
    status, line = fails_with(monkeypatch, capsys, error)
    assert status == 1 and words in line and line.startswith("landfall: ") and line.count("\n") == 1


def test_a_missing_package_is_one_line():
    """-S leaves the installed packages out."""
    run = [sys.executable, "-S", str(ROOT / "main.py"), "scenes"]
    result = subprocess.run(run, env=environment(PYTHONPATH=""), capture_output=True, text=True)
    assert 'run "make run" or "pip install -r requirements.txt"' in complaint(result, 1)


def test_a_pipe_that_nobody_reads_is_a_quiet_failure():
    read, write = os.pipe()
    os.close(read)
    run = [sys.executable, str(ROOT / "main.py"), "scenes"]
    result = subprocess.run(run, env=environment(), stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (result.returncode, result.stderr) == (1, "")


def test_a_reader_that_stops_reading_is_no_error():
    run = f"{sys.executable} {ROOT / 'main.py'} scenes | head -n 1"
    result = subprocess.run(run, shell=True, env=environment(), capture_output=True, text=True)
    assert result.stderr == "" and result.stdout.count("\n") == 1


@pytest.mark.parametrize("words", [["show"], ["still", "x.png"], ["film", "x.mp4", "--scene", "cuts"]])
def test_calm_reaches_the_show(words):
    assert show_options(cli.parse([*words, "--calm"])).calm
    assert not show_options(cli.parse(words)).calm
