#!/usr/bin/env python3
"""Every include of src/pecann/<module> must name the module itself or one that CMakeLists.txt lists behind USES, and the
files of a run's folder are named in train/run_folder.cc alone."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
allowed = {}
for name, rest in re.findall(r"pecann_module\((\w+)([^)]*)\)", (root / "CMakeLists.txt").read_text()):
    uses = re.search(r"USES((?:\s+[a-z_]+)*)", rest)
    allowed[name] = {name} | set(uses.group(1).split() if uses else [])

faults, seen = [], 0
for path in sorted((root / "src" / "pecann").glob("*/*")):
    module = path.parent.name
    if path.suffix not in (".h", ".cc"):
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include "pecann/(\w+)/', line)
        if match:
            seen += 1
            if match.group(1) not in allowed[module]:
                faults.append(f"{path}:{number}: {module} must not include {match.group(1)}")
# Public headers stand alone: the standard library and each other. Inside, only the module api and the program know them.
for path in sorted((root / "include" / "pecann").glob("*.h")):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include (["<].*[">])', line)
        if match:
            seen += 1
            if not re.fullmatch(r'<[a-z_]+>|"pecann/\w+\.h"', match.group(1)):
                faults.append(f"{path}:{number}: a public header must not include {match.group(1)}")
for path in sorted((root / "src" / "pecann").glob("*/*")):
    if path.parent.name not in ("api", "cli") and path.suffix in (".h", ".cc"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r'#include "pecann/\w+\.h"', line):
                faults.append(f"{path}:{number}: public headers belong to the module api")
# Files of a run: a text that is one of their names, or a path that ends in one. A name within a sentence is a message.
run_file = re.compile(r'"[^"\s]*\b(problem\.toml|start\.npy|summary\.json|report\.html|history\.csv|solution\.npz)"'
                      r'|("[^"\s]*/|/ ")(lock"|trial-|checkpoint(\.previous|\.new)?")')
named_here = {"train/run_folder.cc", "reproduce/result_store.cc"}  # the second: trial-N.json of a campaign's results
named = 0
for path in sorted((root / "src" / "pecann").glob("*/*")):
    if path.suffix not in (".h", ".cc") or path.name.endswith("_test.cc"):
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.startswith("#include") and run_file.search(line.split("//")[0]):
            if f"{path.parent.name}/{path.name}" in named_here:
                named += 1
            else:
                faults.append(f"{path}:{number}: files of a run are named in train/run_folder.cc: {line.strip()}")
if not named:
    faults.append("train/run_folder.cc names no file of a run: this check has lost its object")
print("\n".join(faults) if faults else f"{seen} includes checked, all follow the modules")
sys.exit(1 if faults or not seen else 0)
