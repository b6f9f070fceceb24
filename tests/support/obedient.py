"""A program that compiles nothing, for `Compiler`: it asks a test when each scene that it is told is ready.

Run by the compiler as `python -m tests.support.obedient kernels` or `... shaders QUALITY`. The environment's OBEYS is the
port on which the test listens. It says who it is, then each scene that it is told, and does what the test answers.
"""

from __future__ import annotations

import os
import socket
import sys


def main() -> None:
    """Until its standard input closes."""
    with socket.create_connection(("127.0.0.1", int(os.environ["OBEYS"]))) as connection, connection.makefile("rw") as test:
        print(os.getpid(), *sys.argv[1:], file=test, flush=True)
        for line in sys.stdin:
            test.write(line)
            test.flush()
            answer = test.readline().strip()
            if answer == "fail":
                print("landfall: a planted\x1b[2J failure", file=sys.stderr, flush=True)
                os._exit(1)
            print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
