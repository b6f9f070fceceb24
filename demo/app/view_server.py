"""A web server for the map viewer, on the loopback address only: the viewer's own files, and the tiles of one folder."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

ADDRESS = "127.0.0.1"
CHUNK = 1 << 16
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".pbf": "application/x-protobuf",
    ".pmtiles": "application/vnd.pmtiles",
    ".ttf": "font/ttf",
}
_RANGE = re.compile(r"bytes=(\d*)-(\d*)", re.ASCII)


class ViewServer(ThreadingHTTPServer):
    """Serves files by their addresses, to this machine alone.

    `port` 0 takes a free one. Raises OSError where the port is taken.
    """

    daemon_threads = True
    # Two servers on one port would answer in turns.
    allow_reuse_port = False

    def __init__(self, files: Mapping[str, Path], port: int = 0) -> None:
        self.files = files
        super().__init__((ADDRESS, port), _Handler)

    @property
    def url(self) -> str:
        """Where the viewer is."""
        return f"http://{ADDRESS}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ViewServer

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *words: object) -> None:
        """Nobody wants a line for each tile."""

    def _answer(self, with_body: bool) -> None:
        path = self._file()
        if path is None:
            return
        try:
            size = path.stat().st_size
            begin, end = self._range(size)
            if begin >= end and size:
                self._refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {"Content-Range": f"bytes */{size}"})
                return
            with open(path, "rb") as file:
                self._head(path, begin, end, size)
                if with_body:
                    self._send(file, begin, end)
        except (ConnectionError, TimeoutError):
            # The browser has gone on to another view.
            self.close_connection = True
        except OSError:
            self._refuse(HTTPStatus.NOT_FOUND)

    def _file(self) -> Path | None:
        """The file that is asked for; None, and the refusal is sent, where there is none."""
        # A page elsewhere could have its name lead to this address, and read the answers.
        if self.headers.get("Host", "").rpartition(":")[0] not in (ADDRESS, "localhost"):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        address = unquote(urlsplit(self.path).path).removeprefix("/") or "index.html"
        path = self.server.files.get(address)
        if path is None:
            self._refuse(HTTPStatus.NOT_FOUND)
        return path

    def _range(self, size: int) -> tuple[int, int]:
        """The first byte, and the one behind the last, of what is asked for."""
        match = _RANGE.fullmatch(self.headers.get("Range", ""))
        if not match or not any(match.groups()):
            return 0, size
        first, last = match.groups()
        if not first:
            return max(size - int(last), 0), size
        return int(first), min(int(last) + 1, size) if last else size

    def _head(self, path: Path, begin: int, end: int, size: int) -> None:
        part = _RANGE.fullmatch(self.headers.get("Range", "")) is not None
        self.send_response(HTTPStatus.PARTIAL_CONTENT if part else HTTPStatus.OK)
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(end - begin))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        if part:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
        self.end_headers()

    def _send(self, file: BinaryIO, begin: int, end: int) -> None:
        file.seek(begin)
        while begin < end:
            data = file.read(min(CHUNK, end - begin))
            if not data:
                # The file was cut short meanwhile: the length that was promised cannot be kept.
                self.close_connection = True
                return
            self.wfile.write(data)
            begin += len(data)

    def _refuse(self, status: HTTPStatus, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()
