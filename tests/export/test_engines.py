"""Engines: the same pieces, byte for byte, whoever makes them and whoever is killed meanwhile."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.hosting import full_disk
from support.program import ROOT, complaint, environment, landfall

from demo.app import cli
from demo.catalogue.generators import generator
from demo.export import child_programs
from demo.export.block_store import FOLDER, BlockStore, store_in
from demo.export.workers import cluster_task, dask_cluster, ground_files, process_pool
from demo.mapping.local import blocks, courses, peaks
from demo.mapping.local.catchments import rings_of
from demo.mapping.local.engines import Threads
from demo.mapping.local.kept_parts import digest_of
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.local.region_blocks import RegionBlocks
from demo.mapping.local.relief_ground import ReliefGround, climbed_by
from demo.mapping.local.sections import Groundwork, Section, joined_lines, lines_of
from demo.mapping.objects.stages import STAGES

WORDS = ("--seed", "3", "--gn", "4", "--ln", "3")
PATIENCE_S = 60.0


class Recording:
    """An engine that notes the stages and their pieces, and has them made by threads."""

    def __init__(self) -> None:
        self.stages: list[tuple] = []

    def made(self, stage, pieces, tell):
        found = Threads(2).made(stage, pieces, tell)
        self.stages.append((stage, pieces, found))
        return found


@pytest.fixture(scope="module")
def stages() -> list[tuple]:
    """(stage, pieces, their arrays) of the waters, lakes, sections, some blocks, tops and catchments of a planet."""
    pytest.importorskip("shapely")
    from demo.mapping.objects.catchment_ground import areas_by
    from demo.mapping.objects.outlines import areas_of_all
    from demo.mapping.objects.planet_map import settled

    values = generator("doublecone").complete({"gn": 4, "ln": 3}, whole=False)
    engine = Recording()
    base = settled(3, values, lambda stage, part: None, 2, engine)
    mesh = fine_mesh_of(base.planet, base.ln, base.waters, base.globe.neighbour, engine=engine)
    network, summits = courses.network_of(mesh, base.waters), peaks.summits_on(base.waters, base.globe.neighbour)
    lakes = len(base.waters.landmasses.sea_area_m2), len(base.waters.lakes), base.globe.radius_m
    digest = digest_of(mesh, network, summits, lakes, base.waters.lakes.area_m2)
    sections = [Section(first, first + 8, part, 4) for first in range(0, 32, 8) for part in range(4)]
    work = Groundwork(mesh, network, summits, lakes, digest)
    made = engine.made(work, sections, lambda done: None)
    region = RegionBlocks.asked_for(work, [np.arange(40, 60), np.arange(900, 905), np.arange(60, 64)])
    engine.made(region, region.pieces(), lambda done: None)
    _, borders, _, tops, _ = joined_lines([lines_of(one) for one in made])
    climbed_by(engine, ReliefGround(work, np.array(sections, np.int64), 0), tops.number)
    areas = areas_by(engine, digest, borders, int(borders.sides.max()) + 1)
    everywhere = areas_of_all(rings_of(borders, len(areas)))
    for one, two in zip(areas, everywhere, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(flat(one), flat(two), strict=True))
    assert [stage.kind for stage, _, _ in engine.stages] == list(STAGES)
    return engine.stages


def flat(area) -> list[np.ndarray]:
    return [ring for polygon in area for ring in polygon]


def assert_made(engine, stages) -> None:
    for stage, pieces, expected in stages:
        told = []
        for ours, theirs in zip(engine.made(stage, pieces, told.append), expected, strict=True):
            assert ours.keys() == theirs.keys()
            for name, values in ours.items():
                assert values.dtype == theirs[name].dtype and np.array_equal(values, theirs[name], equal_nan=True)
        assert told == list(range(1, len(pieces) + 1))


def children() -> list[int]:
    return [child.pid for child in child_programs._running]


def test_a_stage_is_put_together_again(stages, tmp_path):
    for stage, pieces, expected in stages:
        again = ground_files.stage_in(ground_files.written(tmp_path, stage))
        assert again.digest == stage.digest and type(again) is type(stage)
        made = again.piece(pieces[0], lambda key, make: make())
        assert all(np.array_equal(made[name], expected[0][name], equal_nan=True) for name in expected[0])


def resident_kb(folder: Path) -> int:
    """How much of the files of a folder is mapped and in this process's memory."""
    total, ours = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            ours = str(folder) in line
        elif ours and first == "Rss:":
            total += int(rest[0])
    return total


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell what is in memory")
def test_what_a_piece_was_made_from_leaves_memory_and_is_read_again(stages, tmp_path):
    stage, pieces, expected = stages[2]
    folder = ground_files.written(tmp_path, stage)
    for _ in range(2):
        made = ground_files.stage_in(folder).piece(pieces[0], lambda key, make: make())
        assert all(np.array_equal(made[name], expected[0][name], equal_nan=True) for name in expected[0])
        assert resident_kb(folder) > 0
        ground_files.let_go(folder)
        assert resident_kb(folder) == 0


def test_a_damaged_ground_is_not_read(stages, tmp_path):
    folder = ground_files.written(tmp_path, stages[0][0])
    path = folder / "heights_m.npy"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ValueError, match="mmap"):
        ground_files.stage_in(folder)


def test_workers_make_the_same_and_end(stages, tmp_path):
    with store_in(tmp_path) as keep, process_pool.ProcessPool(2, keep) as pool:
        assert len(children()) == 2
        assert_made(pool, stages)
    assert not children() and not list(tmp_path.iterdir())


class Deadly:
    """`_Worker.tell` that kills the worker after what it was told, so many times."""

    def __init__(self, monkeypatch, times: int) -> None:
        self.left, self.tell = times, process_pool._Worker.tell
        monkeypatch.setattr(process_pool._Worker, "tell", lambda worker, words: self(worker, words))

    def __call__(self, worker, words) -> None:
        self.tell(worker, words)
        if self.left:
            self.left -= 1
            time.sleep(0.01 * (self.left % 3))
            os.kill(worker._child.pid, signal.SIGKILL)


def test_killed_workers_are_replaced(stages, tmp_path, monkeypatch):
    Deadly(monkeypatch, 2)
    with store_in(tmp_path) as keep, process_pool.ProcessPool(2, keep) as pool:
        assert_made(pool, stages)
        assert len(children()) == 2


def test_a_piece_that_kills_its_workers_is_given_up(stages, tmp_path, monkeypatch):
    Deadly(monkeypatch, 99)
    with (
        pytest.raises(RuntimeError, match="3 workers have died over one piece of the map"),
        store_in(tmp_path) as keep,
        process_pool.ProcessPool(1, keep) as pool,
    ):
        assert_made(pool, stages)
    assert not children() and not list(tmp_path.iterdir())


def test_workers_that_cannot_begin(stages, tmp_path, monkeypatch):
    monkeypatch.setattr(process_pool, "PROGRAM", "demo.no_such_module")
    with (
        pytest.raises(RuntimeError, match="workers have died 3 times before they could begin"),
        store_in(tmp_path) as keep,
        process_pool.ProcessPool(2, keep) as pool,
    ):
        assert_made(pool, stages)


def test_a_store_without_room_is_told(stages, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with (
        pytest.raises(RuntimeError, match=r"No space left on device.*free some space"),
        store_in(tmp_path) as keep,
        process_pool.ProcessPool(1, keep) as pool,
    ):
        assert_made(pool, stages)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_while_pieces_are_made_is_told(stages, tmp_path):
    """What the pieces are made from finds room, and the first piece does not."""
    stage, pieces, made = stages[2]
    blocks = sum(-(-path.stat().st_size // 4096) for path in ground_files.written(tmp_path, stage).iterdir())
    assert sum(values.nbytes for values in made[0].values()) > 4096
    with full_disk(tmp_path / "disk", f"{4 * (blocks + 1)}k") as disk:
        with (
            pytest.raises(RuntimeError, match=r"cannot write .*\.blocks: free some space"),
            store_in(disk) as keep,
            process_pool.ProcessPool(1, keep) as pool,
        ):
            pool.made(stage, pieces, lambda done: None)
        assert not children() and not list(disk.iterdir())


def test_a_map_by_workers_from_outside(tmp_path):
    """The files of threads; and a map whose processes were all killed, or ended by SIGTERM, leaves nothing at work."""
    words = ("map", "out", *WORDS, "--formats", "tif,json")
    for name, more in (("threads", ()), ("workers", ("--workers", "2"))):
        (tmp_path / name).mkdir()
        result = landfall(*words, *more, cwd=tmp_path / name)
        assert result.returncode == 0 and result.stderr == "", result
    for file in ("relief.tif", "summary.json"):
        assert (tmp_path / "threads/out" / file).read_bytes() == (tmp_path / "workers/out" / file).read_bytes()
    assert sorted(path.name for path in (tmp_path / "workers/out").iterdir()) == ["relief.tif", "summary.json"]


def test_a_region_by_workers(tmp_path, monkeypatch):
    """The files of threads, from blocks and lakes that workers have made."""
    monkeypatch.setattr(blocks, "side_of", lambda ln: 2)
    files, asked, tell = [], list[str](), process_pool._Worker.tell
    monkeypatch.setattr(process_pool._Worker, "tell", lambda one, words: (asked.append(words["stage"]), tell(one, words)))
    for name, more in (("threads", ()), ("workers", ("--workers", "2"))):
        assert not asked
        words = ["map", str(tmp_path / name), *WORDS, "--region", "160,-10,4000", "--formats", "gpkg,tif,json", *more]
        assert cli.main(words) == 0
        files.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert {Path(stage).suffix for stage in asked} == {".waters", ".lakes", ".blocks"} and len(asked) > 4
    assert files[0] == files[1] and len(files[0]) == 3 and not children()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_a_map_that_is_ended(tmp_path, number):
    command = [sys.executable, str(ROOT / "main.py"), "map", "out", *WORDS, "--formats", "json", "--workers", "2"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True)
    store, patience = tmp_path / "out" / FOLDER, time.monotonic() + PATIENCE_S
    while not list(store.glob("*.block")):
        assert process.poll() is None and time.monotonic() < patience
        time.sleep(0.001)
    process.send_signal(number)
    # Workers hold this pipe too: it ends when all of them have.
    assert process.communicate(timeout=PATIENCE_S)[1] == "" and process.returncode == -number
    assert (tmp_path / "out").exists() == (number == signal.SIGKILL)


# --- a Dask cluster ------------------------------------------------------------------------------------------------


def spawn(module: str, *words: str, folder: Path = ROOT) -> subprocess.Popen:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    # As README starts them: what is in the folder can be imported.
    return subprocess.Popen(command, cwd=folder, env=environment(PYTHONPATH="."), **pipes)


class Cluster:
    """A scheduler and workers on the loopback address."""

    def __init__(self, workers: int, folder: Path = ROOT) -> None:
        """`folder`: the scheduler's; its workers have Landfall."""
        self.scheduler = spawn("dask_scheduler", "--host", "127.0.0.1", "--port", "0", folder=folder)
        assert self.scheduler.stderr is not None
        lines = iter(self.scheduler.stderr.readline, "")
        self.address = next(found[0] for line in lines if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
        words = (self.address, "--nthreads", "1", "--no-nanny")
        self.workers = [spawn("dask_worker", *words) for _ in range(workers)]

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.communicate()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    made = Cluster(2)
    yield made
    made.stop()


@pytest.mark.parametrize("address", [None, "file://"], ids=["the map's folder", "a folder elsewhere"])
def test_a_cluster_makes_the_same_though_a_worker_is_killed(stages, tmp_path, cluster, monkeypatch, address):
    def piece(self, numbers, keep, made=Groundwork.piece):
        # The first piece that comes back.
        if cluster.workers[0].poll() is None:
            cluster.workers[0].kill()
        return made(self, numbers, keep)

    with (
        store_in(tmp_path, address and f"{address}{tmp_path}/kept") as keep,
        dask_cluster.DaskCluster(cluster.address, keep) as engine,
    ):
        assert_made(engine, stages[:1])
        monkeypatch.setattr(Groundwork, "piece", piece)
        assert_made(engine, stages[1:])
    assert cluster.workers[0].wait() == -signal.SIGKILL and not list(tmp_path.iterdir())


def test_a_scheduler_that_goes_is_told_in_one_line(stages, tmp_path, cluster, monkeypatch, capfd):
    def piece(self, numbers, keep, made=Groundwork.piece):
        # The first piece that comes back.
        cluster.scheduler.kill()
        return made(self, numbers, keep)

    def patient(self, wait=dask_cluster.DaskCluster._await_workers):
        # On a busy machine workers take longer to begin than a scheduler that has gone is waited for.
        with monkeypatch.context() as changed:
            changed.setattr(dask_cluster, "ANSWER_S", PATIENCE_S)
            wait(self)

    monkeypatch.setattr(dask_cluster, "ANSWER_S", 2.0)
    monkeypatch.setattr(dask_cluster.DaskCluster, "_await_workers", patient)
    monkeypatch.setattr(Groundwork, "piece", piece)
    with (
        pytest.raises(RuntimeError, match=r"the Dask scheduler at tcp://.* has gone: start it"),
        store_in(tmp_path) as keep,
        dask_cluster.DaskCluster(cluster.address, keep) as engine,
    ):
        engine.made(*stages[2][:2], lambda done: None)
    assert capfd.readouterr().err == ""


def test_a_scheduler_that_goes_before_a_piece_is_asked_for_is_told(tmp_path):
    """The piece was done, and its answer cannot be had any more."""
    core = pytest.importorskip("distributed.comm.core")

    class Finished:
        status = "finished"

        def result(self):
            raise core.CommClosedError("Connection reset by peer")

    with store_in(tmp_path) as keep, pytest.raises(RuntimeError, match=r"scheduler at tcp://there:1 has gone: start it"):
        dask_cluster.DaskCluster("tcp://there:1", keep)._examine(Finished())


def test_what_is_wrong_with_a_cluster(tmp_path, cluster, monkeypatch, capsys):
    """No Landfall, another version, a folder that workers do not see, a scheduler that does not answer: a line each."""

    def said(status: int, *more: str) -> str:
        words = ["map", str(tmp_path / "out"), *WORDS, "--formats", "json", "--scheduler", cluster.address]
        assert cli.main([*words, *more]) == status
        assert not (tmp_path / "out").exists()
        line = capsys.readouterr().err
        assert line.startswith("landfall: ") and line.count("\n") == 1
        return line

    elsewhere = spawn("dask_worker", cluster.address, "--nthreads", "1", "--no-nanny", folder=tmp_path)
    try:
        assert any("Registered to" in line for line in iter(elsewhere.stderr.readline, ""))
        told = said(2)
        assert "the worker tcp://" in told and "of the cluster cannot import demo" in told and "PYTHONPATH=. dask" in told
    finally:
        # It says good-bye to the scheduler.
        elsewhere.terminate()
        elsewhere.communicate()
    ours = cluster_task.identity()
    with monkeypatch.context() as patch:
        patch.setattr(cluster_task, "__version__", "0.0")
        assert f" has Landfall {ours}: here it is 0.0 (" in said(2)
    with monkeypatch.context() as patch:
        patch.setattr(dask_cluster, "written", lambda store, stage: store / "elsewhere" / "ground")
        assert "OUTDIR must lie where all workers see it at the same path" in said(1)
    with monkeypatch.context() as patch:
        patch.setattr(BlockStore, "begin", lambda store: (store._noted.mkdir(), store._place.prepare()))
        told = said(1, "--blocks", str(tmp_path / "kept"))
        assert f"a worker of the cluster cannot read {tmp_path / 'kept'} (No such file or directory)" in told
        assert "--blocks must be one place for all workers" in told and not (tmp_path / "kept").exists()
    monkeypatch.setattr(dask_cluster, "ANSWER_S", 1.0)
    for worker in cluster.workers:
        worker.kill()
        worker.wait()
    assert "has no workers: start some" in said(2)
    cluster.scheduler.kill()
    assert f"no Dask scheduler answers at {cluster.address}" in said(2)


def test_a_scheduler_without_landfall(tmp_path, capsys):
    """It reads the tasks too."""
    pytest.importorskip("distributed")
    cluster = Cluster(1, tmp_path)
    try:
        assert cli.main(["map", str(tmp_path / "out"), *WORDS, "--scheduler", cluster.address]) == 2
    finally:
        cluster.stop()
    line = capsys.readouterr().err
    assert f"the Dask scheduler at {cluster.address} cannot import demo" in line and "PYTHONPATH=. dask" in line
    assert line.count("\n") == 1 and not (tmp_path / "out").exists()


def test_a_cluster_without_its_library(tmp_path, monkeypatch, capsys):
    real = dask_cluster.importlib.util.find_spec
    monkeypatch.setattr(dask_cluster.importlib.util, "find_spec", lambda name: None if name == "distributed" else real(name))
    assert cli.main(["map", str(tmp_path / "out"), *WORDS, "--scheduler", "tcp://127.0.0.1:9"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("landfall: distributed is missing") and "requirements-cluster.txt" in said
    assert said.count("\n") == 1 and not (tmp_path / "out").exists()


WRONG = {
    ("--workers", "0"): "--workers=0 is not possible: it takes an integer from 1 to 1024",
    ("--workers", "2", "--scheduler", "tcp://a:1"): "--workers and --scheduler are not possible together",
    ("--scheduler", "a:1"): "--scheduler=a:1 is not possible: it takes tcp://HOST:PORT",
    ("--scheduler", "tcp://a:99999"): "--scheduler=tcp://a:99999 is not possible",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words(tmp_path: Path, words):
    assert WRONG[words] in complaint(landfall("map", str(tmp_path / "out"), *WORDS, *words), 2)
    assert not list(tmp_path.iterdir())


def test_a_killed_process_of_the_raster_costs_its_file_only(tmp_path, monkeypatch):
    """And no process of it is left; one that dies each time is told in one line."""
    from demo.export.maps import raster_process

    heard, deaths = raster_process._heard, [1]

    def deadly(line: str) -> list:
        word, *said = heard(line)
        if word == raster_process.PART and deaths[0]:
            deaths[0] -= 1
            for child in children():
                os.kill(child, signal.SIGKILL)
        return [word, *said]

    monkeypatch.setattr(raster_process, "_heard", deadly)
    words = ["--formats", "pbf,tif", "--workers", "2"]
    assert cli.main(["map", str(tmp_path / "killed"), *WORDS, *words]) == 0
    assert deaths == [0] and not children()
    assert cli.main(["map", str(tmp_path / "threads"), *WORDS, "--formats", "pbf,tif"]) == 0
    for name in ("relief.tif", "world.osm.pbf"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "threads" / name).read_bytes()
    deaths[0] = 100
    assert cli.main(["map", str(tmp_path / "given up"), *WORDS, *words]) == 1
    assert not children() and not list((tmp_path / "given up").glob("*"))
