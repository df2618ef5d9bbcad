// Points and measured data of a problem; and what lies behind a run: point-wise multipliers, Fourier features, trials, timings,
// machine and versions.

const SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];

function pointsPlot(run, index) {
  if (run.points.length === 0) return null;
  const flat = run.coordinates.length === 1;
  const place = flat ? `${plain(run.coordinates[0])} = %{x:.4~g}` : hoverText(run, run.coordinates[0], run.coordinates[1]);
  const traces = run.points.map((set, i) => ({
    hovertemplate: `${place}<extra>${plain(set.term)}</extra>`, x: set.columns[0], y: flat ? set.columns[0].map(() => i) : set.columns[1], mode: "markers", type: "scatter",
    name: plain(`${shortened(set.term, 30)} (${set.columns[0].length < set.count ? `${set.columns[0].length} of ` : ""}${set.count})`),
    marker: { size: i === 0 ? 3 : 5, symbol: SYMBOLS[i % SYMBOLS.length], color: COLOURS[i % COLOURS.length], opacity: 0.8 },
  }));
  const names = run.points.map((set) => plain(shortened(set.term, 14)));
  const y = flat ? axis("", "linear", { tickvals: names.map((_, i) => i), ticktext: names, range: [-0.5, names.length - 0.5] })
                 : axis(axisName(run, run.coordinates[1]));
  const title = `${run.solved ? "Points" : "Points of training"}${run.about.windows > 1 ? ", last window" : ""}` + (run.coordinates.length > 2 ? ` (seen along ${run.coordinates.slice(2).map((name) => shortened(name, 20)).join(", ")})` : "");
  const lay = layout(axis(axisName(run, run.coordinates[0])), y, { showlegend: true });
  const [first, second] = run.about.coordinates;
  if (!flat && first.space && second.space) Object.assign(lay.yaxis, { scaleanchor: "x", constrain: "domain" }), Object.assign(lay.xaxis, { constrain: "domain" });
  return plot(`points-${index}`, title, traces, lay, "tall");
}

/// Whether the multipliers of a term's points differ.
const hasSpread = (histogram) => histogram.centres.length > 1;

function multiplierPlots(run, index) {
  return run.multipliers.filter(hasSpread).flatMap((histogram, i) => [multiplierMap(run, histogram, `multiplier-map-${index}-${i}`), plot(
    `multipliers-${index}-${i}`, `Multipliers of the points of ${shortened(histogram.name)}: how many have which`,
    [{ type: "bar", x: histogram.centres, y: histogram.counts, width: histogram.width, marker: { color: COLOURS[0] }, name: "points", hovertemplate: "λ = %{x:.4~g}<br>%{y} points<extra></extra>" }],
    layout(axis("multiplier λ"), axis("points"), { bargap: 0 }), "tall")]).filter((p) => p);
}

/// Where the multipliers of a point-wise term are large: there its equation is hardest to meet.
function multiplierMap(run, { name, columns, values }, key) {
  if (!columns || values.every((value) => value === values[0])) return null;
  const title = `Multipliers λ of ${shortened(name)}`, places = varying(columns);
  if (places.length < 2) {
    const c = places[0] ?? 0, trace = { x: columns[c], y: values, mode: "markers", type: "scatter", name: "λ", marker: { size: 4, color: COLOURS[0] }, hovertemplate: `${hoverText(run, run.coordinates[c], "λ")}<extra></extra>` };
    return plot(key, title, [trace], layout(axis(axisName(run, run.coordinates[c])), axis("multiplier λ")), "tall");
  }
  const [low, high] = rangeOf(values);
  return scatterMap(run, { columns, places, key, title, name: `multiplier of ${name}`, values,
                           words: (i) => `λ = ${number(values[i])}`, marker: { color: values, cmin: low, cmax: high, colorscale: "Viridis",
                                                                              colorbar: { ...BAR, title: { text: "λ", side: "right" }, ...roundTicks([low, high]) } } });
}

/// Measured values over the coordinate that varies; where several do, against the prediction.
function measuredPlot(data, index, i) {
  const name = `data.${data.name}`, unit = unitOf(data, data.name) ? ` (${plain(unitOf(data, data.name))})` : "";
  const points = { mode: "markers", type: "scatter", marker: { size: 5, color: COLOURS[1], symbol: "circle-open" } };
  const fixed = Object.entries(data.fixed).map(([c, value]) => `${shortened(c, 20)} = ${quantity(data, c, number(value))}`);
  const title = `Measured data (term ${shortened(data.term)})${data.coordinate && fixed.length > 0 ? ` at ${fixed.join(", ")}` : ""}`;
  if (data.coordinate) {
    const hovertemplate = `${hoverText(data, data.coordinate, data.name)}<extra>%{fullData.name}</extra>`;
    const traces = [{ ...points, x: data.x, y: data.measured, name: "measured", hovertemplate }];
    if (data.predicted)
      traces.push({ x: data.x, y: data.predicted, mode: "lines", name: "prediction", line: { color: COLOURS[0], width: 2 }, hovertemplate });
    if (data.exact)
      traces.push({ x: data.x, y: data.exact, mode: "lines", name: "exact", line: { color: COLOURS[2], width: 1.5, dash: "dash" }, hovertemplate });
    return plot(`measured-${index}-${i}`, title, traces,
                layout(axis(axisName(data, data.coordinate)), axis(plain(name) + unit), { showlegend: true }), "tall");
  }
  if (!data.predicted) return null;
  const range = rangeOf(data.measured);
  const traces = [{ ...points, x: data.measured, y: data.predicted, name: "points", hovertemplate: `measured %{x:.4~g}, predicted %{y:.4~g}${unit}<extra></extra>` },
                  { x: range, y: range, mode: "lines", name: "equal", hoverinfo: "skip", line: { color: theme.soft, width: 1.5, dash: "dash" } }];
  return plot(`measured-${index}-${i}`, `${title}: prediction against measurement`, traces,
              layout(axis(plain(`${name}, measured`) + unit), axis(plain(`${data.name}, predicted`) + unit), { showlegend: true }), "tall");
}

/// How close a finite matrix of Fourier features comes to the normal distribution that it is drawn from.
function fourierPlot(fourier, index, i, trials) {
  const line = { color: COLOURS[0], width: 2 }, hovertemplate = "entry %{x:.3~g} σ<br>density %{y:.3~g}<extra>%{fullData.name}</extra>";
  const drawn = trials > 1
    ? bandTraces(fourier.centres, fourier.mean, fourier.low, fourier.high, "entries, mean ± deviation", line, hovertemplate)
    : [{ x: fourier.centres, y: fourier.mean, mode: "lines", name: "entries", hovertemplate, line: { ...line, shape: "hvh" } }];
  const normal = { x: fourier.centres, y: fourier.normal, mode: "lines", name: "normal", hovertemplate, line: { color: COLOURS[1], width: 2, dash: "dash" } };
  return plot(`fourier-${index}-${i}`, `Fourier features of ${shortened(fourier.network)} (${fourier.entries} entries, σ = ${number(fourier.sigma)})`,
              [...drawn, normal], layout(axis("entry / σ"), axis("density"), { showlegend: true }), "tall");
}

const MODULES = { evaluate: "networks and equations (evaluate)", optim: "optimiser (optim)", penalty: "multipliers (penalty)",
                  sampling: "points drawn anew (sampling)", errors: "error norms, standard errors", files: "history, checkpoints, progress" };

/// Where the seconds went, all trials together.
function timingTable(run) {
  const sums = Object.keys(MODULES).map((key) => run.trials.reduce((sum, trial) => sum + (trial.timings[key] || 0), 0));
  const known = sums.reduce((a, b) => a + b, 0);
  if (!(known > 0)) return null;
  const total = Math.max(known, run.trials.reduce((sum, trial) => sum + trial.seconds, 0));  // error norms after the last epoch are no part of its seconds
  const rows = Object.keys(MODULES).map((key, i) => [sums[i], MODULES[key]]).filter(([seconds]) => seconds >= 1e-3 * total)
    .map(([seconds, name]) => [name, duration(seconds), `${number(100 * seconds / total, 2)} %`]);
  return [element("h3", "", "Time by module"),
          table([{ title: "module" }, { title: "time", kind: "number" }, { title: "share", kind: "number" }], rows)];
}

function factsTable(run) {
  const rows = [["program", `pecann ${run.facts.version || "–"}${run.facts.commit ? ` (${run.facts.commit})` : ""}`],
                ["machine", run.facts.machine || "–"], ["started", run.facts.date || "–"], ["problem", shortened(run.source, 200)], ["recipe", run.recipe || "none: the training of the file"],
                ["seed", String(run.seed)]];
  return table([{ title: "what" }, { title: "value", kind: "text" }], rows);
}

/// Plots of features, which belong to the training.
function statePlots(run, index) {
  const plots = hasPlots ? [...run.fourier.map((fourier, i) => fourierPlot(fourier, index, i, run.trials.length))] : [];
  return plots.length > 0 ? [element("h3", "group", run.label || "Behind it"), element("div", "plots", plots)] : [];
}

function factsSection(run, index) {
  return [section("facts", run.label ? `Facts: ${run.label}` : "Facts", index), element("h3", "", "Trials"), trialTable(run),
          ...(timingTable(run) || []), element("h3", "", "Machine and versions"), factsTable(run)];
}
