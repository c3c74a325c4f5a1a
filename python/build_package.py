"""Makes a wheel (PEP 517): builds the module with CMake and packs it with the package and the program."""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "build/release/python/driftless"
NAME, VERSION = "driftless", "0.1.0"
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Differential-algebraic equations of index 1, 2 and 3, without drift
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

"""


def _build():
    python = pathlib.Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    usual = pathlib.Path("/usr/bin/python3").resolve()
    chosen = [] if python == usual else ["-D", f"Python_EXECUTABLE={python}"]
    subprocess.run(["cmake", "--preset", "release", *chosen, "--log-level=NOTICE"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "driftless_python"], cwd=ROOT, check=True)


def _tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _files(tag):
    """(name in the wheel, content, may be executed)"""
    ours = sysconfig.get_config_var("EXT_SUFFIX")
    for path in sorted(PACKAGE.iterdir()):
        if path.is_file() and (path.suffix != ".so" or path.name == "_core" + ours):
            yield f"{NAME}/{path.name}", path.read_bytes(), os.access(path, os.X_OK)
    info = f"{NAME}-{VERSION}.dist-info"
    yield f"{info}/METADATA", (METADATA + (ROOT / "README.md").read_text(encoding="utf-8")).encode(), False
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: driftless\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False
    yield f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), False


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build()
    tag = _tag()
    name, info = f"{NAME}-{VERSION}-{tag}.whl", f"{NAME}-{VERSION}.dist-info"
    record = []
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content, executable in _files(tag):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return name
