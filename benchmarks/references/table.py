"""Tables of reference values: coordinates in the first columns, then the fields in the order of the problem file."""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "problems" / "benchmarks" / "references"


def write(name, *columns):
    table = np.column_stack([np.asarray(column, dtype=float).ravel() for column in columns])
    if not np.isfinite(table).all():
        raise SystemExit(f"{name}: values that are not finite")
    np.save(FOLDER / f"{name}.npy", table)
    print(f"{name}: {table.shape[0]} rows, {table.shape[1]} columns")


def difference(fine, coarse):
    """The relative l2 distance of two references, which is (nearly) the error of the coarse one."""
    fine, coarse = np.asarray(fine), np.asarray(coarse)
    return float(np.linalg.norm(fine - coarse) / np.linalg.norm(fine))
