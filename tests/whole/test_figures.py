"""The figures of the pages about the articles: each is there, and was drawn by the command that stands on its page."""

from __future__ import annotations

import pytest
from PIL import Image

from docs import make

PAGE = """# A page

```
python main.py still hill.png --scene plasma --seed 3
python main.py grow cuts heights.npz --seed 1
python main.py map planet --seed 1
```

![A hill](figures/page-hill.jpg) ![](figures/page-heights.jpg) ![Its sheet](figures/page-planet-03.png)
![Nothing](figures/page-other.jpg)
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_no_figure_of_the_pages_is_missing_or_stale():
    assert make.problems() == []
    assert sum(len(make.figures_of(page)) for page in make.pages()) >= 11


def test_a_figure_belongs_to_the_command_that_draws_it(page):
    hill, heights, sheet, other = make.figures_of(page)
    assert hill.command == ("still", "hill.png", "--scene", "plasma", "--seed", "3")
    assert sheet.command == ("map", "planet", "--seed", "1")
    assert heights.command is None, "an array is no picture"
    assert other.command is None
    assert hill.stamp.startswith("plasma-") and hill.stamp.endswith(
        ": python main.py still hill.png --scene plasma --seed 3"
    )


@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_another_command_or_version_makes_a_figure_stale(page, ending):
    page.write_text(PAGE.replace("hill.jpg", f"hill.{ending}"), encoding="utf-8")
    hill = make.figures_of(page)[0]
    assert make.is_stale(hill)
    make.save(hill, Image.new("RGB", (1440, 810)))
    assert not make.is_stale(hill)
    with Image.open(hill.path) as image:
        assert image.size == (720, 405)
    page.write_text(page.read_text(encoding="utf-8").replace("--seed 3", "--seed 4"), encoding="utf-8")
    assert make.is_stale(make.figures_of(page)[0])


def test_problems_are_named(page):
    make.save(make.figures_of(page)[0], Image.new("RGB", (8, 8)))
    make.save(make.figures_of(page)[0], Image.new("RGB", (8, 8)))
    (page.parent / "figures" / "page-left.jpg").write_bytes(b"")
    named = {line.partition(":")[0] for line in make.problems([page])}
    assert named == {"page-heights.jpg", "page-planet-03.png", "page-other.jpg", "page-left.jpg"}
