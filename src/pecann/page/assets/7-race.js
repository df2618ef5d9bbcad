// A race: who was best, how soon, and what each recipe was. The data are those of race.csv.

const raceMeasure = (race) => (race.by_error ? "relative l² error" : "residual on held-out points, relative to the start");

function rankingTable(race) {
  const rows = race.rows.map((row, r) => {
    const swatch = element("span", "swatch");
    swatch.style.background = COLOURS[r % COLOURS.length];
    return [String(r + 1), element("span", "", swatch, row.name), number(row.median), `${number(row.best)} … ${number(row.worst)}`,
            duration(row.seconds), ...row.to.map((seconds) => (Number.isFinite(seconds) ? duration(seconds) : "–")), String(row.trials.length)];
  });
  return table([{ title: "" }, { title: "recipe" }, { title: race.by_error ? "error (median)" : "residual (median)", kind: "number" },
                { title: "best … worst", kind: "number" }, { title: "time a trial", kind: "number" },
                ...race.levels.map((level) => ({ title: `time to ${number(level).replace(/\.?0+e/, "e")}`, kind: "number" })), { title: "trials", kind: "number" }], rows);
}

/// The number of a trial at a time: the last one measured before; NaN before the first.
function valueAt({ seconds_at: times, values }, time) {
  let found = NaN;
  for (let i = 0; i < times.length && times[i] <= time; ++i) if (Number.isFinite(values[i])) found = values[i];
  return found;
}

/// The median of a recipe's trials over time, with a band from the best to the worst of them.
function raceBand(row, line) {
  const times = row.trials.flatMap((trial) => trial.seconds_at).filter((time) => time > 0);
  const first = Math.min(...times), last = Math.max(...times), count = 160;
  const x = [], middle = [], low = [], high = [];
  for (let i = 0; i <= count; ++i) {
    const time = first + (last - first) * (i / count) ** 2;  // closer where curves fall
    const values = row.trials.map((trial) => valueAt(trial, time)).filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
    if (values.length < row.trials.length) continue;
    x.push(time);
    low.push(values[0]);
    high.push(values.at(-1));
    middle.push(values.length % 2 ? values[(values.length - 1) / 2] : Math.sqrt(values[values.length / 2 - 1] * values[values.length / 2]));
  }
  const name = plain(row.name);
  return bandTraces(x, middle, low, high, name, line, `${name}, median of ${row.trials.length}<br>%{x:.3~g} s: %{y:.2~e}<extra></extra>`);
}

function racePlot(race) {
  const several = race.rows.some((row) => row.trials.length > 1);
  const traces = race.rows.flatMap((row, r) => {
    const line = { color: COLOURS[r % COLOURS.length], dash: DASHES[Math.floor(r / COLOURS.length) % DASHES.length], width: 1.8 };
    if (row.trials.length > 1 && row.trials.every((trial) => trial.values.length > 1)) return raceBand(row, line);
    return row.trials.map((trial, i) => ({
      x: trial.seconds_at, y: trial.values, mode: trial.values.length > 1 ? "lines" : "markers", name: plain(row.name), legendgroup: row.name,
      showlegend: i === 0, hovertemplate: `${plain(row.name)}, trial ${i + 1}<br>%{x:.3~g} s: %{y:.2~e}<extra></extra>`, line,
      marker: { color: line.color, size: 9 },
    }));
  });
  const shown = traces.filter((trace) => trace.y.some((value) => Number.isFinite(value)));
  if (shown.length === 0) return null;
  return plot("race", `${race.by_error ? "Error" : "Residual"} against seconds${several ? ": median of the trials, band from the best to the worst" : ""}`, shown,
              layout(axis("time of training (s)"), valueAxis(raceMeasure(race), shown.flatMap((trace) => trace.y)), { showlegend: true }), "wide");
}

function racePage(race, runs) {
  const parts = [scrollable(element("h1", "long", `Race: ${race.title}`)),
                 element("p", "soft", `${race.rows.length} trainings of ${duration(race.seconds)} a trial; the best median first. Times are until the ` +
                                      `${raceMeasure(race)} was at most the level for the first time, the median of the trials.`),
                 section("ranking", "Ranking"), rankingTable(race)];
  const picture = hasPlots ? racePlot(race) : null;
  if (picture) parts.push(picture);
  parts.push(section("recipes", "What each was"),
             table([{ title: "recipe" }, { title: "training", kind: "text" }, { title: "penalty" }], race.rows.map((row) => [row.name, row.training, row.strategy])));
  const differs = differenceTable(runs);
  if (differs) parts.push(element("details", "", element("summary", "", "Settings that differ"), differs));
  if (hasPlots) parts.push(...comparedProfiles(runs));
  parts.push(section("verdicts", "Verdicts"));
  runs.forEach((run) => parts.push(element("details", "", element("summary", "", element("span", `badge level-${run.verdict.level}`, `\u00a0${run.verdict.level}\u00a0`),
                                                                  ` ${run.label || run.folder}`), verdictBox(run), termTable(run))));
  return parts;
}
