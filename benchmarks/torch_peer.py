"""PyTorch as a peer: Debian's package, its BLAS kernels and threads, and JSON from its programs. Used by compare_torch and compare_training."""
import json
import os
import pathlib
import subprocess
import sys

PEER = pathlib.Path(__file__).resolve().parent / "torch_problems.py"
PYTHON = "/usr/bin/python3"  # Debian's, which has Debian's torch


def say(text):
    print(text, file=sys.stderr, flush=True)


def install_torch():
    if subprocess.run([PYTHON, "-c", "import torch, numpy"], capture_output=True).returncode == 0:
        return
    say("installing Debian packages: python3-torch python3-numpy libopenblas0-pthread")
    root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*root, "apt-get", "update", "-qq"])
    subprocess.run([*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends",
                    "python3-torch", "python3-numpy", "libopenblas0-pthread"], check=True, stdout=sys.stderr)


def blas_core():
    """OpenBLAS takes processors it does not know for one of 2004; the kernels that fit are known from the instruction sets."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if "avx512f" in flags and "avx512dq" in flags:
        return "SkylakeX"
    return "Haswell" if "avx2" in flags and "fma" in flags else None


def peer_environment(threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    environment.pop("OMP_WAIT_POLICY", None)
    if blas_core() is not None:
        environment["OPENBLAS_CORETYPE"] = blas_core()
    return environment


def run_json(command, **options):
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {' '.join(str(part) for part in command)} failed")
    return json.loads(result.stdout)
