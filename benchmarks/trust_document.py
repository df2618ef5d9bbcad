"""The parts of docs/estimate.md that are made of measurements: between <!-- NAME: begin --> and <!-- NAME: end -->."""
import math
import re


def replace_part(file, name, lines):
    text = file.read_text()
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    first, last = text.index(begin) + len(begin), text.index(end)
    file.write_text(text[:first] + "\n" + "\n".join(lines) + "\n\n" + text[last:])


def number(value):
    return re.sub(r"e([-+])0?(\d)", lambda m: f"e{'-' if m.group(1) == '-' else ''}{m.group(2)}", f"{value:.1e}")


def word_of(estimate):
    return "–" if not estimate else "good" if estimate["good"] else "trusted" if estimate["trusted"] else "no"


def ratio_of(estimate, true):
    value = estimate and estimate.get("relative_l2")
    return value / true if value and true else math.nan


def cell(row, field):
    if row is None or "failed" in row:
        return "–"
    if field not in row["errors"]:
        return f"{row['windows'][0]} of {row['windows'][1]} windows, {row['verdict']}"
    true, estimate = row["errors"][field], (row["estimate"] or {}).get(field)
    ratio = ratio_of(estimate, true)
    told = word_of(estimate) if math.isnan(ratio) else f"{ratio:.2f} {word_of(estimate)}"
    return f"{number(true)} · {told} · {row['verdict']}"


def write_document(file, rows, problems, states, well):
    judged = [row for row in rows.values() if "failed" not in row and row["errors"]]
    lines = ["| problem | field | " + " | ".join(states) + " |", "|---|---|" + "---|" * len(states)]
    for name in problems:
        own = {state: rows.get((name, state)) for state in states}
        fields = list(dict.fromkeys(field for row in own.values() if row and "failed" not in row for field in row["errors"]))
        for field in fields:
            lines.append(f"| `{name}` | {field} | " + " | ".join(cell(own[state], field) for state in states) + " |")
    lines += ["", *sums(judged, rows, well)]
    replace_part(file, "table of trust", lines)


def sums(judged, rows, well):
    fields = [(row, field, true, (row["estimate"] or {}).get(field)) for row in judged for field, true in row["errors"].items()]
    trusted = [(row, field, ratio_of(e, true)) for row, field, true, e in fields if e and e["trusted"]]
    good = [ratio_of(e, true) for _, _, true, e in fields if e and e["good"]]
    within = lambda low, high, values: sum(low <= value <= high for value in values)
    ratios = [ratio for *_, ratio in trusted]
    trained = [row for row in judged if row["state"] in well]
    sure = [row for row in trained if row["estimate"] and all(e["trusted"] for e in row["estimate"].values())]
    able = [row for row in trained if not row["estimate_made"]["decided"].startswith("not trusted: the")]
    worst = lambda row: max(row["errors"].values())
    large = [row for row in judged if worst(row) > 0.1]
    wrong = [row for row in large if row["verdict"] in ("good", "usable")]
    small = [row for row in judged if worst(row) < 1e-4]
    gloomy = [row for row in small if row["verdict"] in ("bad", "doubtful")]
    dear = [row for row in judged if row["estimating"] > max(3, row["training"] / 5)]
    failed = [row for row in rows.values() if "failed" in row]
    share = lambda part, whole: f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"
    names = lambda some: "" if not some else ": " + ", ".join(f"`{row['problem']}` {row['state']} ({number(worst(row))}, {row['verdict']})" for row in some)
    lines = [
        f"{len(judged)} states of {len({row['problem'] for row in judged})} problems, {len(fields)} fields.",
        "",
        "| asked | measured |",
        "|---|---|",
        f"| trusted estimates within [0.5, 2] of the truth: 95 % | {share(within(0.5, 2, ratios), len(ratios))} |",
        f"| within [0.1, 10]: all | {share(within(0.1, 10, ratios), len(ratios))} |",
        f"| good ones within [0.8, 1.25] | {share(within(0.8, 1.25, good), len(good))} |",
        f"| well-trained states (the last two columns) with all fields trusted: 70 % | {share(len(sure), len(trained))} |",
        f"| the same without problems with noisy data or an inequality, which have no estimate | {share(len(sure), len(able))} |",
        f"| errors above 10 % called good or usable: none | {len(wrong)} of {len(large)}{names(wrong)} |",
        f"| errors below 1e-4 called bad or doubtful: none | {len(gloomy)} of {len(small)}{names(gloomy)} |",
        f"| estimates above 3 s and a fifth of the training, processor seconds | {len(dear)} of {len(judged)}" + ("" if not dear else ": " + ", ".join(f"`{row['problem']}` {row['state']} {row['estimating']:.1f} s" for row in dear)) + " |",
    ]
    misses = [f"`{row['problem']}` {row['state']} {field}: {ratio:.2f}" for row, field, ratio in trusted if not 0.5 <= ratio <= 2]
    if misses:
        lines += ["", "Trusted and outside of [0.5, 2]: " + ", ".join(misses) + "."]
    unsure = [row for row in trained if row not in sure]
    if unsure:
        lines += ["", "Well-trained states without a trusted estimate: " + ", ".join(f"`{row['problem']}` {row['state']}" for row in unsure) + "."]
    if failed:
        lines += ["", "Did not run: " + ", ".join(f"`{row['problem']}` {row['state']}" for row in failed) + "."]
    programs = sorted({row["program"] for row in rows.values()})
    seconds = sum(row.get("training", 0) + row.get("estimating", 0) for row in rows.values())
    loads = [row["load"] for row in rows.values() if "load" in row]
    lines += ["", f"Program {', '.join(programs)} (first digits of its SHA-256), one thread, {seconds / 60:.0f} processor minutes in all, load {min(loads):g} to {max(loads):g}."]
    return lines
