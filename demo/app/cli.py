"""Words on the command line -> one call -> an exit status. Errors are one line, `landfall: WHAT is wrong: what to do`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, NoReturn

from .. import __version__
from ..worlds.parameters import ParameterError
from .settings import COMMANDS, Setting, settings_of

PROGRAM = "python main.py"
NO_CACHE = "no folder for compiled kernels can be written: set NUMBA_CACHE_DIR to one that can"
WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130

EXAMPLES: dict[str, tuple[str, ...]] = {
    "show": (
        "",
        "show --scene cuts --seed 7 --fullscreen",
        "show --scene plasma --set plasma.roughness=0.9 --look as-printed",
        "--saver",
    ),
    "scenes": ("scenes",),
    "grow": (
        "grow plasma island.npz --seed 7 --set cells=1024",
        "grow cuts planet.png --set cuts=2000 --set atlas=latlong",
        "grow simplex planet.tif --at 4",
    ),
    "still": ("still planet.png --scene cuts --seed 7 --time 30 --size 1920x1080",),
    "film": (
        "film tour.mp4 --seed 7 --seconds 60",
        "film frames --scene plasma --seconds 10 --fps 24 --size 640x360",
    ),
    "map": (
        "map planet --seed 7",
        "map planet --seed 7 --gn 7 --ln 3 --set doublecone.land=0.3 --formats gpkg,tif",
    ),
    "doctor": ("doctor",),
}

ARGUMENTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "grow": (
        ("name", "NAME", "the generator, as 'scenes' lists them"),
        (
            "out",
            "OUT",
            "the file: .npz (arrays heights, positions, ...), .png (16-bit, its scale in a .json beside it) or .tif (float)",
        ),
    ),
    "still": (("out", "OUT.png", "the picture"),),
    "film": (("out", "OUT", "the film, NAME.mp4, or a new folder for PNG frames"),),
    "map": (("out", "OUTDIR", "the folder; it is made if need be, and its other files stay"),),
}


class Parser(argparse.ArgumentParser):
    """argparse whose complaints are errors like all others."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ").replace(
            "the following arguments are required", "missing on the command line"
        )
        raise ParameterError(f'{message}: see "{self.prog} --help"')


def main(argv: list[str]) -> int:
    """Do what `argv` asks for; the exit status. Nothing is raised but SystemExit, from --help."""
    try:
        return _run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return FAILED
    except ParameterError as error:
        return _complain(error, WRONG_INPUT)
    except ImportError as error:
        return _complain(_missing(error), FAILED)
    except MemoryError as error:
        return _complain(f"not enough memory ({error}): choose a smaller size or fewer cells", FAILED)
    except (RuntimeError, OSError) as error:
        return _complain(NO_CACHE if "no locator available" in str(error) else error, FAILED)
    except Exception as error:
        return _complain(f"{type(error).__name__} ({error}): a fault of Landfall; LANDFALL_DEBUG=1 shows where", FAILED)


def _run(argv: list[str]) -> int:
    arguments = parse(argv)
    from . import commands

    status = getattr(commands, arguments.command)(arguments)
    sys.stdout.flush()
    return status


def parse(argv: list[str]) -> argparse.Namespace:
    """The command, its arguments and its options, `_` for `-`; raises ParameterError, and SystemExit for --help."""
    top, by_command = parsers()
    words = with_command(argv)
    if not words[0].startswith("-") and words[0] not in COMMANDS:
        raise ParameterError(f"there is no command '{words[0]}': there are {', '.join(COMMANDS)}")
    arguments, unknown = top.parse_known_args(words)
    if unknown:
        by_command[arguments.command].error(f"{arguments.command} does not know '{unknown[0]}'")
    for setting in settings_of(arguments.command):
        key = setting.name.replace("-", "_")
        if isinstance(given := getattr(arguments, key), str):
            setattr(arguments, key, setting.read(given))
    return arguments


def with_command(argv: list[str]) -> list[str]:
    """`argv` with the word `show` in front where options begin it."""
    own = {"-h", "--help", "--version"}
    return argv if argv and (not argv[0].startswith("-") or argv[0] in own) else ["show", *argv]


def parsers() -> tuple[Parser, dict[str, Parser]]:
    """The parser of all words, and that of each command, made from `settings.SETTINGS`."""
    top = Parser(
        prog=PROGRAM,
        description="Landfall: worlds that grow on screen by five published algorithms. Without a command: the show.",
        epilog=_epilog([EXAMPLES[name][0] for name in COMMANDS]) + f"\n\nMore of each command: {PROGRAM} show --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"landfall {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    return top, {name: _command(commands, name) for name in COMMANDS}


def _command(commands: Any, name: str) -> Parser:
    words = COMMANDS[name]
    parser = commands.add_parser(
        name,
        help=words,
        description=words[0].upper() + words[1:] + ".",
        epilog=_epilog(EXAMPLES[name]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for argument, metavar, text in ARGUMENTS.get(name, ()):
        parser.add_argument(argument, metavar=metavar, help=text)
    for setting in settings_of(name):
        _add(parser, setting, name)
    return parser


def _add(parser: Parser, setting: Setting, command: str) -> None:
    """The values stay text here: argparse would put words of its own before the message of a wrong one."""
    names = (setting.option, *setting.aliases)
    words = setting.describe(command).replace("%", "%%")
    if not setting.metavar:
        parser.add_argument(*names, action="store_true", help=words)
    elif setting.repeated:
        parser.add_argument(*names, action="append", default=[], metavar=setting.metavar, help=words)
    else:
        default = setting.defaults[command] or None
        parser.add_argument(*names, default=default, metavar=setting.metavar, help=words)


def _epilog(examples: tuple[str, ...] | list[str]) -> str:
    return "\n".join(["examples:", *(f"  {PROGRAM} {example}".rstrip() for example in examples)])


def _complain(error: object, status: int) -> int:
    if os.environ.get("LANDFALL_DEBUG"):
        import traceback

        traceback.print_exc()
    words = " ".join(str(error).split()) or type(error).__name__
    print(f"landfall: {words}", file=sys.stderr)
    return status


def _missing(error: ImportError) -> str:
    names = {"PIL": "Pillow", "pygame": "pygame-ce", "OpenGL": "PyOpenGL"}
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("demo"):
        top = error.name.partition(".")[0]
        return f'{names.get(top, top)} is missing: run "make run" or "pip install -r requirements.txt"'
    return f'a package cannot be loaded ({error}): run "pip install -r requirements.txt" again'


def _silence_stdout() -> None:
    """Python flushes stdout at its end, and would then complain of the broken pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
