"""`view` from outside, and its server: ranges, refusals, and one line for whatever is wrong."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading

import pytest
from support.program import ROOT, complaint, environment, landfall

from demo.app import view_command
from demo.app.view_server import ADDRESS
from demo.export.maps import site


@pytest.fixture
def tiles(tmp_path):
    """A folder that passes for one of tiles."""
    folder = tmp_path / "planet" / "tiles"
    folder.mkdir(parents=True)
    (folder / "world.json").write_text("{}")
    (folder / "world.pmtiles").write_bytes(bytes(range(200)))
    return folder


@pytest.fixture
def server(tiles):
    with view_command.serving(tiles, None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server, address, method="GET", **headers):
    """(status, headers, body) of an answer."""
    connection = http.client.HTTPConnection(*server.server_address)
    connection.request(method, address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def test_the_viewer_and_the_tiles_are_served(server, tiles):
    status, headers, body = asked(server, "/")
    assert status == 200 and headers["Content-Type"].startswith("text/html") and b"<title>Landfall</title>" in body
    assert asked(server, "/tiles/world.pmtiles")[2] == (tiles / "world.pmtiles").read_bytes()
    for address, path in site.viewer_files():
        status, headers, body = asked(server, "/" + address.replace(" ", "%20"))
        assert status == 200 and body == path.read_bytes()
        assert headers["Content-Type"].startswith("text/javascript") == (path.suffix in (".js", ".mjs"))


@pytest.mark.parametrize(
    ("range_", "first", "last"),
    [("bytes=0-9", 0, 9), ("bytes=190-500", 190, 199), ("bytes=150-", 150, 199), ("bytes=-5", 195, 199)],
)
def test_ranges(server, range_, first, last):
    status, headers, body = asked(server, "/tiles/world.pmtiles", Range=range_)
    assert status == 206 and list(body) == list(range(first, last + 1))
    assert headers["Content-Range"] == f"bytes {first}-{last}/200"


def test_a_range_that_is_not_there(server):
    status, headers, _ = asked(server, "/tiles/world.pmtiles", Range="bytes=200-300")
    assert status == 416 and headers["Content-Range"] == "bytes */200"


def test_a_range_of_another_form_counts_for_nothing(server):
    for form in ("bytes=", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6"):
        assert asked(server, "/tiles/world.pmtiles", Range=form)[0] == 200


def test_a_head_alone(server):
    status, headers, body = asked(server, "/tiles/world.pmtiles", "HEAD")
    assert status == 200 and headers["Content-Length"] == "200" and body == b""


def test_nothing_else_is_served(server):
    for address in ("/tiles/", "/../setup.py", "/%2e%2e/setup.py", "/tiles/../world.json", "//etc/passwd", "/package.json"):
        assert asked(server, address)[0] == 404
    assert asked(server, "/", "POST")[0] == 501


def test_other_names_for_this_machine_are_refused(server):
    """A page elsewhere could let its own name lead here."""
    port = server.server_address[1]
    assert asked(server, "/", Host=f"evil.example:{port}")[0] == 403
    assert asked(server, "/", Host=f"localhost:{port}")[0] == 200


def test_it_listens_on_the_loopback_address_alone(server):
    assert server.server_address[0] == ADDRESS == "127.0.0.1"


def test_tiles_are_found_in_the_map_the_site_and_themselves(tiles, tmp_path):
    assert view_command.tiles_in(tmp_path / "planet").samefile(tiles)
    assert view_command.tiles_in(tiles).samefile(tiles)
    (tmp_path / "other" / "site").mkdir(parents=True)
    tiles.rename(tmp_path / "other" / "site" / "tiles")
    assert view_command.tiles_in(tmp_path / "other").samefile(tmp_path / "other" / "site" / "tiles")
    assert view_command.tiles_in(tmp_path / "other" / "site").samefile(tmp_path / "other" / "site" / "tiles")


def test_a_folder_without_tiles(tmp_path):
    assert "has no tiles: add them with" in complaint(landfall("view", str(tmp_path)), 2)
    assert "there is no folder" in complaint(landfall("view", str(tmp_path / "nothing")), 2)


def test_a_port_that_is_taken(tiles):
    with socket.create_server((ADDRESS, 0)) as taken:
        port = taken.getsockname()[1]
        said = complaint(landfall("view", str(tiles), "--port", str(port), "--no-browser"), 1)
        assert f"cannot serve on port {port}" in said and "choose another --port" in said


def test_a_wrong_port(tiles):
    assert "--port=70000 is not possible" in complaint(landfall("view", str(tiles), "--port", "70000"), 2)


def heeds_interrupts() -> None:
    """A shell's background jobs, and what they start, ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_it_serves_until_it_is_interrupted(tiles):
    words = [sys.executable, str(ROOT / "main.py"), "view", str(tiles), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env=environment(), preexec_fn=heeds_interrupts, **pipes) as running:
        try:
            url = running.stdout.readline().split()[0]
            port = int(url.rstrip("/").rpartition(":")[2])
            connection = http.client.HTTPConnection(ADDRESS, port)
            connection.request("GET", "/tiles/world.json")
            assert json.loads(connection.getresponse().read()) == {}
            connection.close()
            running.send_signal(signal.SIGINT)
            assert running.wait(60) == 0
            assert running.stderr.read() == ""
        finally:
            running.kill()


def test_the_browser_is_opened(tiles, monkeypatch):
    opened = []
    monkeypatch.setattr(view_command.webbrowser, "open", opened.append)
    monkeypatch.setattr(view_command.ViewServer, "serve_forever", lambda self: None)
    from demo.app import cli

    assert cli.main(["view", str(tiles)]) == 0
    assert len(opened) == 1 and opened[0].startswith(f"http://{ADDRESS}:")
    assert cli.main(["view", str(tiles), "--no-browser"]) == 0
    assert len(opened) == 1
