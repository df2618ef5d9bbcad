// What lies behind a run: collocation points, point-wise multipliers, trials, the problem file, machine and versions.

const SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];

function pointsPlot(run, index) {
  if (run.points.length === 0) return null;
  const flat = run.coordinates.length === 1;
  const traces = run.points.map((set, i) => ({
    x: set.columns[0], y: flat ? set.columns[0].map(() => i) : set.columns[1], mode: "markers", type: "scatter",
    name: plain(`${shortened(set.term, 24)} (${set.count})`),
    marker: { size: i === 0 ? 3 : 5, symbol: SYMBOLS[i % SYMBOLS.length], color: COLOURS[i % COLOURS.length], opacity: 0.8 },
  }));
  const names = run.points.map((set) => plain(shortened(set.term, 14)));
  const y = flat ? axis("", "linear", { tickvals: names.map((_, i) => i), ticktext: names, range: [-0.5, names.length - 0.5] })
                 : axis(plain(run.coordinates[1]));
  const title = "Points of training" + (run.coordinates.length > 2 ? ` (seen along ${shortened(run.coordinates[2], 20)})` : "");
  return plot(`points-${index}`, title, traces, layout(axis(plain(run.coordinates[0])), y, { showlegend: true }), "tall");
}

function multiplierPlots(run, index) {
  return run.multipliers.map((histogram, i) => plot(
    `multipliers-${index}-${i}`, `Multipliers of the points of ${shortened(histogram.name)}`,
    [{ type: "bar", x: histogram.centres, y: histogram.counts, width: histogram.width, marker: { color: COLOURS[0] } }],
    layout(axis("multiplier λ"), axis("points"), { bargap: 0 }), "tall"));
}

function factsTable(run) {
  const rows = [["program", `pecann ${run.facts.version || "–"}${run.facts.commit ? ` (${run.facts.commit})` : ""}`],
                ["machine", run.facts.machine || "–"], ["started", run.facts.date || "–"], ["recipe", run.recipe || "–"],
                ["seed", String(run.seed)]];
  return table([{ title: "what" }, { title: "value", kind: "text" }], rows);
}

function detailSection(run, index) {
  const plots = [pointsPlot(run, index), ...multiplierPlots(run, index)].filter((p) => p);
  const problem = element("details", "", element("summary", "", "Problem file"), element("pre", "", run.problem));
  return [
    element("h2", "", run.label ? `Behind it: ${run.label}` : "Behind it"),
    element("div", "plots", plots),
    element("h3", "", "Trials"), trialTable(run),
    element("h3", "", "Machine and versions"), factsTable(run), problem,
  ];
}
