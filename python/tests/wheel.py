"""Installs the wheel into a fresh environment, without a network, and runs the Python example of README there."""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "python"))
import build_package  # noqa: E402

build_package._build = lambda: None  # it is built: this runs beside other tests

example = re.search(r"```python\n(.*?)```", (root / "README.md").read_text(encoding="utf-8"), re.S).group(1)
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    wheel = folder / build_package.build_wheel(folder)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder / "env"], check=True)
    python = folder / "env/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    shown = subprocess.run([python, "-c", example], check=True, cwd=folder, capture_output=True, text=True).stdout
    assert "constraints kept to" in shown, shown
    told = subprocess.run([python, "-m", "driftless", "--version"], check=True, cwd=folder, capture_output=True, text=True).stdout
    assert "0.1.0" in told, told
    print(shown)
