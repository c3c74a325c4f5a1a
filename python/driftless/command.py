"""Runs the program that comes with the package, for what it alone can do: pages and analyses."""
from __future__ import annotations

import html
import pathlib
import subprocess

from ._core import Misuse, ModelError, RunError

_ERRORS = {2: Misuse, 3: Misuse, 4: ModelError, 5: ModelError}  # by exit code: `driftless explain` lists them


def program():
    """Where the program `driftless` is that belongs to this package: `python -m driftless` runs it."""
    return str(pathlib.Path(__file__).parent / "driftless-program")


def run_program(*arguments):
    """What it prints; its words as an exception if it does not succeed. Ctrl-C ends it."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    raise _ERRORS.get(done.returncode, RunError)(done.stderr.strip() or done.stdout.strip())


def page_in_notebook(page, height=620):
    """A page of the program inside a cell of a notebook, with its scripts."""
    return f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width:100%;height:{height}px;border:0"></iframe>'
