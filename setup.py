"""What pyproject.toml cannot say: the folder demo/ becomes the package `landfall`, with what it reads of assets/ inside."""

import atexit
import shutil
import tempfile

from setuptools import find_packages, setup

# What a browser asks for; the rest of the folder makes it.
VIEWER = ("viewer/*.html", "viewer/*.css", "viewer/*.svg", "viewer/src/*", "viewer/vendor/*", "viewer/glyphs/*/*")
# Not in the tree: files of an earlier build would get into the wheel.
scratch = tempfile.mkdtemp(prefix="landfall-build-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setup(
    packages=["landfall", *(f"landfall.{name}" for name in find_packages("demo")), "landfall.assets"],
    package_dir={"landfall": "demo", "landfall.assets": "assets"},
    package_data={"landfall.assets": ["shaders/*", "fonts/*", "*.png", *VIEWER]},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
