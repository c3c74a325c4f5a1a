"""python -m driftless ...: the program of the same name."""
import os
import sys

from .command import program

if __name__ == "__main__":
    os.execv(program(), ["driftless", *sys.argv[1:]])
