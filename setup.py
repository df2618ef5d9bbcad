"""Builds the Python package by cmake: pip install --no-build-isolation . (docs/python.md)"""
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TOP = pathlib.Path(__file__).parent.resolve()


class BuildByCmake(build_ext):
    """The module and the package around it, installed by cmake's component `python` into the folder of the wheel."""

    def run(self):
        build, target = TOP / "build-wheel", pathlib.Path(self.build_lib).resolve()
        commands = [
            ["cmake", "-S", TOP, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
             "-DPECANN_PYTHON=ON", "-DPECANN_TESTS=OFF", "-DPECANN_PYTHON_FOLDER=.", f"-DPython3_EXECUTABLE={sys.executable}"],
            ["cmake", "--build", build, "--target", "pecann_python"],
            ["cmake", "--install", build, "--component", "python", "--strip", "--prefix", target],
        ]
        for command in commands:
            subprocess.run([str(word) for word in command], check=True)


setup(
    version=re.search(r"project\(pecann VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text()).group(1),
    packages=[],
    ext_modules=[Extension("pecann._core", [])],  # so that the wheel is one of this platform
    cmdclass={"build_ext": BuildByCmake},
)
