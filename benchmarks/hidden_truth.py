"""A problem as somebody writes it who does not know the solution, and the true error of what the program makes of it.

The known solution of a file ([exact], or a reference) is taken out of it: what equations need of it become functions, data that were made of it
become a file of measured values. The program then trains, estimates and judges without it. The true error is taken afterwards, by `pecann predict`.
"""
import array
import ast
import csv
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import tomllib

TOP = pathlib.Path(__file__).resolve().parent.parent


def problem_file(name):
    """Of the catalogue, or one of the cases that only benchmarks/accuracy_table has."""
    folder = TOP / "benchmarks" if name.startswith("accuracy_cases/") else TOP / "problems"
    return folder / f"{name}.toml"


class Hidden:
    """A problem file without its solution, in a folder of its own, with what is needed to measure errors."""

    def __init__(self, pecann, name, folder, seed, trained):
        self.pecann, self.folder = pecann, pathlib.Path(folder)
        file = problem_file(name)
        text = file.read_text()
        problem = tomllib.loads(text)
        self.coordinates = list(problem["coordinates"])
        self.exact = dict(problem.get("exact", {}))
        self.scalars = {key: value["exact"] for key, value in problem.get("parameters", {}).items() if isinstance(value, dict) and "exact" in value}
        self.frozen = problem.get("evaluate", {}).get("at", {})
        self.reference = file.parent / problem["reference"] if "reference" in problem else None
        self.fields = problem.get("fields") or [field for network in problem["network"] for field in network["fields"]]
        self.terms = [term.get("name", f"term-{i}") for i, term in enumerate(problem["term"], 1)]
        self.objective = next((i for i, term in enumerate(problem["term"], 1) if term.get("role") == "objective"), 1)
        self.windows = problem.get("windows", {}).get("count", 1)
        self.kept = [self.terms[i] for i, term in enumerate(problem["term"]) if keeps_points(term)]
        self.networks = len(problem.get("network", [])) or 1
        for term in problem["term"]:
            if "exact" in term.get("data", {}):
                text = self.with_file(text, name, term, seed)
        self.file = self.folder / "problem.toml"
        self.file.write_text(with_training(self.without_exact(text), problem, trained))

    def without_exact(self, text):
        text = re.sub(r'^(reference|together) = .*\n', "", text, flags=re.M)
        text = re.sub(r", exact = [^,}\n]+", "", text)
        for line in re.findall(r'"(references/[^"]+)"', text):
            text = text.replace(line, str(TOP / "problems" / "benchmarks" / line))
        if not self.exact:
            return text
        section = re.search(r"^\[exact\]\n(?:(?!\[).*\n)*", text, flags=re.M)
        text = text[: section.start()] + text[section.end() :]
        known = "".join(f'known{key} = "{self.plain(value)}"\n' for key, value in self.exact.items() if key not in self.scalars)
        text = self.plain(text)
        if "\n[functions]\n" in text:
            return text.replace("\n[functions]\n", "\n[functions]\n" + known, 1)
        at = re.search(r"^(\[\[network\]\]|\[\[term\]\]|\[constants\]|\[shapes\]|\[parameters\])", text, flags=re.M).start()
        return text[:at] + "[functions]\n" + known + "\n" + text[at:]

    def plain(self, text):
        """exact.u -> knownu, exact.u_xt -> d(knownu, x, t), exact.D -> its value."""

        def other(match):
            name, _, letters = match.group(1).partition("_")
            if name in self.scalars:
                return repr(self.scalars[name])
            if not letters:
                return f"known{name}"
            return f"d(known{name}, {', '.join(letters)})"

        return re.sub(r"\bexact\.(\w+)", other, text)

    def with_file(self, text, name, term, seed):
        """The data of a term as a file: exact values at its points with normal noise."""
        given = self.folder / "points.csv"
        probe = self.folder / "probe"
        constants = tomllib.loads(text).get("constants", {})
        noise = term["data"]["noise"]
        noise = float(constants.get(noise, noise))
        numbers = random.Random(f"{name} {term['name']} {seed}")
        problem = tomllib.loads(text)
        ranges = [[eval(str(end), {"pi": math.pi}) for end in problem["coordinates"][c]] for c in self.coordinates]
        rule = term["points"]
        if "grid" in rule:
            axes = [[low + (high - low) * i / (n - 1) for i in range(1, n - 1)] for (low, high), n in zip(ranges, rule["grid"])]
            points = [[]]
            for axis in axes:
                points = [point + [value] for point in points for value in axis]
        else:
            points = [[numbers.uniform(*ends) for ends in ranges] for _ in range(next(iter(rule.values())))]
        if term["region"] == "final":
            for point in points:
                point[self.coordinates.index("t")] = ranges[self.coordinates.index("t")][1]
        given.write_text(",".join(self.coordinates) + "\n" + "".join(",".join(map(repr, point)) + "\n" for point in points))
        command([self.pecann, "run", problem_file(name), "--set", "stop.epochs=1", "--threads", "1", "--no-estimate", "--quiet", "--out", probe])
        field = term["data"]["exact"][0]
        rows = self.predicted(probe, [f"exact.{field}"], ["--points", given])
        size = math.sqrt(sum(row[-1] ** 2 for row in rows) / len(rows))
        relative = term["data"].get("noise_scale") == "value"
        data = self.folder / "data.csv"
        with data.open("w") as out:
            out.write(",".join(self.coordinates) + ",measured\n")
            for row in rows:
                scale = abs(row[-1]) if relative else size
                out.write(",".join(map(repr, row[:-1] + [row[-1] + noise * scale * numbers.gauss(0, 1)])) + "\n")
        begin = text.index(f'name = "{term["name"]}"')
        end = text.find("[[", begin)
        block = text[begin:end]
        block = re.sub(r"^(region|points) = .*\n", "", block, flags=re.M)
        block = re.sub(r"^data = .*\n", f'data = {{ file = "{data}", {field} = "measured" }}\n', block, flags=re.M)
        return text[:begin] + block + text[end:]

    def predicted(self, run, expressions, where=()):
        file = self.folder / "predicted.csv"
        command([self.pecann, "predict", run, *where, "--fields", ",".join(expressions), "-o", file])
        with file.open() as lines:
            rows = csv.reader(lines)
            next(rows)
            return [[float(cell) for cell in row] for row in rows]

    def true_errors(self, run):
        """Relative l2 by field, on the evaluation grid or at the points of the reference."""
        if self.reference:
            given = read_npy(self.reference)
            points = self.folder / "reference.csv"
            d = len(self.coordinates)
            points.write_text(",".join(self.coordinates) + "\n" + "".join(",".join(map(repr, row[:d])) + "\n" for row in given))
            made = self.predicted(run, self.fields, ["--points", points])
            return {field: relative([row[d + f] for row in made], [row[d + f] for row in given]) for f, field in enumerate(self.fields)}
        fields = [field for field in self.exact if field not in self.scalars]
        asked = []
        for field in fields:
            at = "".join(f", {c} = {value}" for c, value in self.frozen.get(field, {}).items())
            asked += [f"at({field}{at})" if at else field, f"at(known{field}{at})" if at else f"known{field}"]
        errors = {}
        for f, field in enumerate(fields):
            rows = self.predicted(run, asked[2 * f : 2 * f + 2])
            errors[field] = relative([row[-2] for row in rows], [row[-1] for row in rows])
        return errors


def with_training(text, problem, trained):
    """The file's own training and networks; where it leaves them open, small networks that are trained, or what the program chooses."""
    if not trained:
        return re.sub(r"^\[(\[phase\]|recipe\.\w+)\]\n(?:(?!\[).*\n?)*", "", text, flags=re.M)
    if "fields" in problem:
        names = json.dumps(problem["fields"])
        text = re.sub(r"^fields = .*\n", "", text, count=1, flags=re.M) + f"\n[[network]]\nfields = {names}\nhidden = [20, 20]\n"
    if "phase" not in problem and "recipe" not in problem:
        text += '\n[[phase]]\noptimizer = "train"\n'
    return text


def bare(text):
    """A problem file without networks, points, training, windows and penalties; points stay where keeps_points says so."""
    problem = tomllib.loads(text)
    depends = {field: network.get("inputs", list(problem["coordinates"])) for network in problem.get("network", []) for field in network["fields"]}
    blocks = re.split(r"(?m)^(?=\[)", text)
    terms = iter(problem["term"])
    for i, block in enumerate(blocks):
        if re.match(r"\[(\[network\]|\[phase\]|\[?recipe\.|windows\]|penalty\]|stop\]|held_out\])", block):
            blocks[i] = ""
        elif block.startswith("[[term]]") and not keeps_points(next(terms)):
            blocks[i] = re.sub(r"^(points|aggregate|weight|eta) = .*\n", "", block, flags=re.M)
    if "fields" not in problem:
        names = ", ".join(f"{field} = {json.dumps(inputs)}" for field, inputs in depends.items())
        blocks[0] = blocks[0].rstrip("\n") + f"\nfields = {{ {names} }}\n\n"
    return "".join(blocks)


def keeps_points(term):
    """Measured values, points of another term, single points and the nodes of integrals stay as they are."""
    points = term.get("points", {})
    return "data" in term or "same_as" in points or isinstance(term.get("region"), dict) or "integral(" in str(term["equation"]) or "mean(" in str(term["equation"])


def relative(made, true):
    pairs = [(a, b) for a, b in zip(made, true) if math.isfinite(a) and math.isfinite(b)]
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / sum(b * b for _, b in pairs))


def read_npy(file):
    """The rows of a two-dimensional float64 array."""
    data = file.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10 : 10 + length].decode())["shape"]
    numbers = array.array("d", data[10 + length :])
    return [list(numbers[i * shape[1] : (i + 1) * shape[1]]) for i in range(shape[0])]


def command(arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip()[-300:])
    return done
