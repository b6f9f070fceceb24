"""From words on the command line to one command and an exit status. An error is one line: what is wrong, and what to do."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import re
import shlex
import sys
from typing import NoReturn

from .. import __version__
from ..process import log, standard_streams
from ..process.installation import NEEDED, PROGRAM, how_to_get
from ..process.stderr import say
from ..worlds.parameters import ParameterError
from .commands import COMMANDS
from .outside_settings import outside
from .settings import Setting, settings_of

NO_CACHE = "no folder for compiled kernels can be written: set NUMBA_CACHE_DIR to one that can"
HOSTED = ("root", "window-id", "saver")
HOSTED_WORDS = {f"{dashes}{name}" for name in HOSTED for dashes in ("-", "--")}
WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130


class Parser(argparse.ArgumentParser):
    """An argparse parser whose complaints are errors like all others."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ").replace(
            "the following arguments are required", "missing on the command line"
        )
        raise ParameterError(f'{message}: see "{self.prog} --help"')


def main(argv: list[str]) -> int:
    """Does what `argv` asks for and returns the exit status. Raises nothing."""
    status = _status_of(argv)
    try:
        sys.stdout.flush()
    except OSError as error:
        standard_streams.silence(sys.stdout)
        return status or _output_lost(error)
    return status


def _status_of(argv: list[str]) -> int:
    try:
        return _run(argv)
    except SystemExit as asked:  # by argparse, for --help
        return asked.code if isinstance(asked.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except ParameterError as error:
        return _complain(error, WRONG_INPUT)
    except ImportError as error:
        return _complain(_missing(error), FAILED)
    except MemoryError as error:
        return _complain(f"not enough memory ({error}): choose a smaller size or fewer cells", FAILED)
    except standard_streams.OutputError as error:
        return _output_lost(error)
    except (RuntimeError, OSError) as error:
        # A world that cannot be grown for a file that it was given is wrong input, too.
        status = WRONG_INPUT if isinstance(error.__cause__, ParameterError) else FAILED
        return _complain(NO_CACHE if "no locator available" in str(error) else error, status)
    except Exception as error:
        return _complain(f"{type(error).__name__} ({error}): a fault of Landfall; LANDFALL_DEBUG=1 shows where", FAILED)


def _run(argv: list[str]) -> int:
    words = with_command(argv)
    if words[0] == "show" and HOSTED_WORDS.intersection(word.partition("=")[0] for word in words):
        # Also what is wrong with the words themselves: nobody reads the stderr of a screensaver.
        log.begin(f"landfall {__version__}: {shlex.join(words)}")
    arguments = parse(argv)
    return importlib.import_module(COMMANDS[arguments.command].module, __package__).run(arguments)


def parse(argv: list[str]) -> argparse.Namespace:
    """The command, its arguments and the values of its options, `_` for `-`. `given` holds the names of those on the line.

    Raises ParameterError, and SystemExit for --help.
    """
    top, by_command = parsers()
    words = with_command(argv)
    if not words[0].startswith("-") and words[0] not in COMMANDS:
        raise ParameterError(f"there is no command '{words[0]}': there are {', '.join(COMMANDS)}")
    arguments, unknown = top.parse_known_args(_with_numbers(words))
    if unknown:
        by_command[arguments.command].error(f"{arguments.command} does not know '{unknown[0]}'")
    names = (setting.name for setting in settings_of(arguments.command) if _is_given(arguments, setting))
    arguments.given = frozenset(names)
    return _with_outside(arguments)


def _is_given(arguments: argparse.Namespace, setting: Setting) -> bool:
    return getattr(arguments, setting.key) not in (None, False, [])


def _with_outside(line: argparse.Namespace) -> argparse.Namespace:
    """What the command line says, and for the rest what is set outside of it, else the defaults.

    `line`: options as text. The result has `plain` where a host starts it: the same without what is set outside.
    """
    line.settled = line.given
    line.hosted = hosted = bool(line.given.intersection(HOSTED))
    rows = outside(line.command, line.given, getattr(line, "set", []), say if hosted else _refuse)
    arguments = argparse.Namespace(**vars(line))
    # Also what is set to no.
    arguments.settled = line.given.union(row.setting.name for row in rows)
    arguments.given = line.given.union(row.setting.name for row in rows if row.value is not False)
    for row in rows:
        value = row.value
        if isinstance(value, list):
            own = {f"surface.{name}" for name in line.given}
            kept = [pair for pair in value if pair.partition("=")[0] not in own]
            value = [*kept, *getattr(arguments, row.setting.key)]
        setattr(arguments, row.setting.key, value)
    arguments.plain = _read(argparse.Namespace(**vars(line))) if hosted and rows else None
    return _read(arguments)


def _refuse(error: ParameterError) -> None:
    raise error


def _read(arguments: argparse.Namespace) -> argparse.Namespace:
    """The same with values in the place of texts, and with the defaults."""
    for setting in settings_of(arguments.command):
        text = getattr(arguments, setting.key)
        if text is None:
            text = setting.defaults[arguments.command] or None
        if isinstance(text, str):
            setattr(arguments, setting.key, setting.read(text))
    return arguments


def with_command(argv: list[str]) -> list[str]:
    """`argv` with the word `show` in front where it begins with an option or is empty."""
    if sys.platform == "win32":
        argv = from_windows(argv)
    own = {"-h", "--help", "--version"}
    return argv if argv and (not argv[0].startswith("-") or argv[0] in own) else ["show", *argv]


def from_windows(argv: list[str]) -> list[str]:
    """`argv` in the program's own words, where Windows starts it as a screensaver: /s, /c and /p with a window's number.

    Windows and its dialogs write them in either case, with a slash or a dash, and the number behind a colon or a space.
    """
    match = re.fullmatch(r"[/-](?P<verb>[scpSCP])(?::(?P<window>\d+))?", argv[0]) if argv else None
    if not match:
        return argv
    verb, window = match["verb"].lower(), match["window"] or "".join(argv[1:2])
    return {"s": ["--saver"], "c": ["config"], "p": ["--window-id", window]}[verb]


def _with_numbers(words: list[str]) -> list[str]:
    """The words, with numbers such as -91,5,200 joined to the option before them.

    argparse takes a word that begins with - for an option, unless it is one number alone.
    """
    joined: list[str] = []
    for word in words:
        if re.match(r"-[\d.]+,", word) and joined and joined[-1].startswith("--") and "=" not in joined[-1]:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def parsers() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the whole command line and one for each command, made from COMMANDS and SETTINGS."""
    top = Parser(
        prog=PROGRAM,
        description="Landfall: worlds that grow on screen by five published algorithms. Without a command: the show.",
        epilog=_epilog([row.examples[0] for row in COMMANDS.values()]) + f"\n\nMore of each command: {PROGRAM} show --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"landfall {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    return top, {name: _command(commands, name) for name in COMMANDS}


def _command(commands: argparse._SubParsersAction[Parser], name: str) -> Parser:
    row = COMMANDS[name]
    parser = commands.add_parser(
        name,
        help=row.help,
        description=row.help[0].upper() + row.help[1:] + ".",
        epilog=_epilog(row.examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for argument in row.arguments:
        parser.add_argument(argument.name, metavar=argument.metavar, help=argument.help)
    for setting in settings_of(name):
        _add(parser, setting, name)
    return parser


def _add(parser: Parser, setting: Setting, command: str) -> None:
    """Adds an option whose value stays text: argparse would put words of its own before the message about a wrong one."""
    names = (setting.option, *setting.aliases)
    words = setting.describe(command).replace("%", "%%")
    if not setting.metavar:
        parser.add_argument(*names, action="store_true", help=words)
    elif setting.repeated:
        parser.add_argument(*names, action="append", default=[], metavar=setting.metavar, help=words)
    else:
        # No default here, so that `parse` can tell what was given.
        parser.add_argument(*names, metavar=setting.metavar, help=words)


def _epilog(examples: tuple[str, ...] | list[str]) -> str:
    return "\n".join(["examples:", *(f"  {PROGRAM} {example}".rstrip() for example in examples)])


def _complain(error: object, status: int) -> int:
    if os.environ.get("LANDFALL_DEBUG"):
        import traceback  # only a developer asks for it

        traceback.print_exc()
    say(error if str(error).strip() else type(error).__name__)
    return status


def _missing(error: ImportError) -> str:
    names = {"PIL": "Pillow", "pygame": "pygame-ce", "OpenGL": "PyOpenGL"}
    top = (error.name or "").partition(".")[0]
    package = names.get(top, top)
    if isinstance(error, ModuleNotFoundError) and top not in ("", __package__.partition(".")[0]):
        return f"{package} is missing: {how_to_get(NEEDED, [package])}"
    return f"a package cannot be loaded ({error}): {how_to_get(NEEDED, ['--force-reinstall', package or 'numba'])} again"


def _output_lost(error: OSError) -> int:
    """Says that stdout cannot be written, unless it is a pipe whose reader has read enough."""
    if error.errno == errno.EPIPE:
        return FAILED
    return _complain(f"the output cannot be printed ({error.strerror}): free some space or send it elsewhere", FAILED)
