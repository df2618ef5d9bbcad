// Histories: loss, objective, constraints, multipliers, penalties, learning rate, errors over epochs or seconds. Several trials are
// a mean with a band of ± one standard deviation, or single lines; several runs have one colour each. A problem with windows of
// time has a second set over the epochs of a window.

const view = { x: "epochs", logX: false, single: false };

/// Seconds at given epochs, by straight lines between the samples of a trial's seconds.
function secondsAt(run, trial, epochs) {
  const column = run.history.columns.find((c) => c.name === "seconds");
  const series = column && (column.trials.find((t) => t.trial === trial) || column.trials[0]);
  if (!series) return epochs;
  let i = 0;
  return epochs.map((epoch) => {
    while (i + 1 < series.x.length && series.x[i + 1] < epoch) ++i;
    const j = Math.min(i + 1, series.x.length - 1);
    const share = series.x[j] > series.x[i] ? Math.min(1, Math.max(0, (epoch - series.x[i]) / (series.x[j] - series.x[i]))) : 0;
    return series.y[i] + share * (series.y[j] - series.y[i]);
  });
}

const axisValues = (run, trial, epochs) => (view.x === "epochs" ? epochs : secondsAt(run, trial, epochs));

let stepName = "epoch";  // what an epoch of the runs on the page is
const placeHover = () => (view.x === "epochs" ? `${stepName} %{x:.6~g}` : "%{x:.3~g} s");

/// The lines of one column of one run.
function columnTraces(run, column, label, colour, dash) {
  const name = plain(label);
  const line = { color: colour, dash, width: 1.8 };
  const hover = `${placeHover()}<br>${name}: %{y:.4~g}<extra></extra>`;
  if (column.band && !view.single) {
    const { mean, low, high } = column.band;
    return bandTraces(axisValues(run, run.best, column.band.x), mean, low, high, name, line, hover);
  }
  return column.trials.map((series, i) => ({
    x: axisValues(run, series.trial, series.x), y: series.y, mode: series.x.length === 1 ? "markers" : "lines", name,
    line: { ...line, width: column.trials.length > 1 ? 1.1 : 1.8 }, hovertemplate: hover, legendgroup: name, showlegend: i === 0,
  }));
}

/// columns of a run whose names begin with a prefix, with what follows it
function columnsWith(run, prefix) {
  return run.history.columns.filter((c) => c.name.startsWith(prefix)).map((c) => ({ column: c, rest: c.name.slice(prefix.length) }));
}

function namedColumns(run, names) {
  return names.map((name) => ({ column: run.history.columns.find((c) => c.name === name), rest: name })).filter((c) => c.column);
}

/// What the numbers of a constraint are: the mean of r², or of |r| with `distance = "absolute"`.
function constraintAxis(runs) {
  const distances = new Set(runs.flatMap((run) => run.terms.filter((t) => t.role === "constraint").map((t) => t.distance)));
  if (distances.size > 1) return "mean of r² or |r|";
  return distances.has("absolute") ? "mean of |residual|" : "mean of squared residual";
}

/// A title, what it shows of a run, and the title of its y axis.
const PANELS = [
  { key: "loss", title: (runs) => (runs.every((run) => run.solved) ? "Objective" : "Loss and objective"), y: "value", pick: (run) => namedColumns(run, ["loss", "objective", "held_out"]) },
  { key: "constraints", title: "Constraints", y: constraintAxis,
    pick: (run) => columnsWith(run, "constraint.") },
  { key: "multipliers", title: "Multipliers λ", y: "λ", pick: (run) => columnsWith(run, "multiplier.") },
  { key: "penalties", title: "Penalties μ", y: "μ", pick: (run) => columnsWith(run, "penalty.") },
  { key: "errors", title: "Error against the exact solution", y: "error", pick: (run) => columnsWith(run, "error.") },
  { key: "estimates", title: "Estimated error so far, where it is trusted", y: "relative l² error", pick: (run) => columnsWith(run, "estimate.") },
  { key: "held-out", title: "Residual on held-out points", y: "relative to the start", pick: (run) => namedColumns(run, ["held_out_residual"]) },
  { key: "rate", title: "Learning rate", y: "learning rate", pick: (run) => namedColumns(run, ["learning_rate"]) },
  { key: "scalars", title: "Trainable numbers", y: "value", pick: (run) => columnsWith(run, "scalar.") },
  { key: "damping", title: "Damping of Levenberg–Marquardt (lm)", y: "damping", pick: (run) => namedColumns(run, ["damping"]) },
];

const NAMES = { held_out: "loss on held-out points", held_out_residual: "residual on held-out points" };

function errorLabel(rest) {
  const dot = rest.lastIndexOf(".");
  return `${rest.slice(0, dot)}, ${MEASURES[rest.slice(dot + 1)] || rest.slice(dot + 1)}`;
}

/// The estimates of a run that trains, as columns of its history.
function addEstimatesSoFar(run) {
  for (const { field } of run.so_far && run.so_far.estimate ? run.so_far.estimate.fields : []) {
    const x = [], y = [];
    for (const { epoch, fields } of run.so_far.series)
      for (const one of fields) if (one.field === field && one.trusted) { x.push(epoch); y.push(one.relative_l2); }
    if (x.length > 1) run.history.columns.push({ name: `estimate.${field}`, trials: [{ trial: run.so_far.trial, x, y }] });
  }
}

function panelTraces(panel, runs) {
  const traces = [];
  runs.forEach((run, r) => panel.pick(run).forEach(({ column, rest }, i) => {
    const what = panel.key === "errors" ? errorLabel(rest) : panel.key === "scalars" ? withUnit(run, rest) : NAMES[rest] || rest.replaceAll("_", " ");
    const label = runs.length > 1 ? `${run.label}: ${what}` : what;
    const colour = COLOURS[(runs.length > 1 ? r : i) % COLOURS.length];
    // One run: beyond the colours, dashes tell lines apart. Several runs: the colour is the run, the dash is the series.
    const dash = DASHES[(runs.length > 1 ? i : Math.floor(i / COLOURS.length)) % DASHES.length];
    traces.push(...columnTraces(run, column, label, colour, dash));
  }));
  return traces;
}

/// The end of the axis: the same for all panels, also for those that end before, such as the learning rate of an early phase.
function lastPlace(runs) {
  return Math.max(...runs.flatMap((run) => namedColumns(run, ["loss", "objective"]).flatMap(({ column }) => column.trials.map((series) =>
    axisValues(run, series.trial, series.x.slice(-1))[0] ?? 1))), view.x === "epochs" ? 1 : 1e-3);
}

/// The value of a line at an epoch, by straight lines between its points.
function lineAt({ x, y }, epoch) {
  const j = x.findIndex((one) => one >= epoch);
  if (j <= 0) return j < 0 ? y.at(-1) : y[0];
  return y[j - 1] + ((epoch - x[j - 1]) / (x[j] - x[j - 1])) * (y[j] - y[j - 1]);
}

/// The band of one standard error around a trainable number while it was trained, where the history has some.
function scalarBand(run, column, rest, colour) {
  const errors = run.history.columns.find((c) => c.name === `standard_error.${rest}`);
  const series = errors && errors.trials.find((t) => t.trial === run.best);
  const line = column.trials.find((t) => t.trial === run.best);
  if (!series || !line || series.x.length < 2) return [];
  const middle = series.x.map((epoch) => lineAt(line, epoch)), name = plain(`${rest}: ± standard error`);
  const ends = (sign) => middle.map((value, i) => value + sign * series.y[i]);
  const edge = { x: axisValues(run, run.best, series.x), mode: "lines", line: { width: 0 }, legendgroup: name };
  return [{ ...edge, y: ends(-1), hoverinfo: "skip", showlegend: false },
          { ...edge, y: ends(1), fill: "tonexty", fillcolor: faded(colour, 0.2), name, customdata: series.y,
            hovertemplate: `${plain(rest)} ± %{customdata:.2~g}${unitOf(run, rest) ? ` ${plain(unitOf(run, rest))}` : ""}<extra></extra>` }];
}

/// What is known of trainable numbers: the band of their standard errors over epochs, or of the end alone, and the truth where the file has it.
function scalarTraces(run, last) {
  const trial = run.trials.find((one) => one.trial === run.best) || run.trials[0];
  return columnsWith(run, "scalar.").flatMap(({ column, rest }, i) => {
    const colour = COLOURS[i % COLOURS.length], line = { color: colour, width: 1, dash: "dot" }, x = [0, last], name = plain(rest);
    const estimated = run.estimate && run.estimate.scalars.find((s) => s.name === rest);
    const found = trial && trial.scalars.find((s) => s.name === rest);
    const both = (value) => [value, value], traces = scalarBand(run, column, rest, colour);
    if (traces.length === 0 && estimated && Number.isFinite(estimated.standard_error)) {
      const { value, standard_error: error } = estimated;
      traces.push(...bandTraces(x, both(value), both(value - error), both(value + error), `${name}: end ± standard error`, line,
                                `${name} = ${number(value, 5)} ± ${number(error, 2)}<extra></extra>`));
    }
    if (found && Number.isFinite(found.exact))
      traces.push({ x, y: both(found.exact), mode: "lines", name: `${name}: truth`, line: { color: colour, width: 1.5, dash: "dash" }, hovertemplate: `truth of ${name}: %{y:.5~g}<extra></extra>` });
    return traces;
  });
}

function panelPicture(panel, runs) {
  const traces = panelTraces(panel, runs);
  if (panel.key === "scalars" && runs.length === 1) traces.push(...scalarTraces(runs[0], lastPlace(runs)));
  const marks = runs.length === 1 && view.x === "epochs" && stepName !== "window" ? runs[0].history.marks : [];
  const last = lastPlace(runs);
  const lay = layout(axis(view.x === "epochs" ? stepName : `time of ${stepName === "epoch" ? "training" : "the solve"} (s)`, view.logX ? "log" : "linear", view.logX ? {} : { range: [0, last], ...(view.x === "epochs" && last <= 12 ? { dtick: 1 } : {}) }),
                     valueAxis(typeof panel.y === "function" ? panel.y(runs) : panel.y, traces.flatMap((t) => t.y)),
                     { showlegend: true, hovermode: "closest", ...markShapes(marks, view.logX, last) });
  return { traces, lay };
}

function historyControls(runs) {
  const control = (label, input, change) => {
    input.addEventListener("change", () => { change(input); redrawHistories(); });
    return element("label", "", input, label);
  };
  const box = (checked) => Object.assign(element("input"), { type: "checkbox", checked });
  const parts = [
    control("over seconds", box(view.x === "seconds"), (input) => { view.x = input.checked ? "seconds" : "epochs"; }),
    control("logarithmic x axis", box(view.logX), (input) => { view.logX = input.checked; }),
  ];
  if (runs.some((run) => run.trials.length > 1))
    parts.push(control("single trials", box(view.single), (input) => { view.single = input.checked; }));
  return element("div", "controls", parts);
}

/// Mean and deviation over all windows: what the paper shows of problems that are trained window by window.
const WINDOW_PANELS = [
  { key: "losses", title: "Objective and constraints", y: "value",
    pick: (run) => [...namedColumns(run, ["objective"]), ...columnsWith(run, "constraint.")] },
  { key: "duals", title: "Multipliers λ and penalties μ", y: "λ, μ",
    pick: (run) => [...columnsWith(run, "multiplier.").map((c) => ({ ...c, rest: `λ ${c.rest}` })),
                    ...columnsWith(run, "penalty.").map((c) => ({ ...c, rest: `μ ${c.rest}` }))] },
];

function windowSection(run, index) {
  const panels = WINDOW_PANELS.map((panel) => ({ panel, columns: panel.pick(run).filter((c) => c.column.windows && c.column.windows.x.length > 1) }))
    .filter(({ columns }) => columns.length > 0);
  if (panels.length === 0) return [];
  const pictures = panels.map(({ panel, columns }) => {
    const traces = columns.flatMap(({ column, rest }, i) => {
      const { x, mean, low, high } = column.windows, name = plain(rest);
      const line = { color: COLOURS[i % COLOURS.length], dash: DASHES[Math.floor(i / COLOURS.length) % DASHES.length], width: 1.8 };
      return bandTraces(x, mean, low, high, name, line, `epoch %{x} of a window<br>${name}: %{y:.4~g}<extra></extra>`);
    });
    const lay = layout(axis("epoch of a window"), valueAxis(panel.y, traces.flatMap((t) => t.y)), { showlegend: true });
    return plot(`windows-${index}-${panel.key}`, panel.title, traces, lay);
  });
  return [element("h3", "group", `Over the epochs of a window: mean ± standard deviation of all windows${run.label ? `, ${run.label}` : ""}`),
          element("div", "plots", pictures)];
}

let redrawHistories = () => {};

/// The number that a panel's line has had from the first to the last epoch; null where it changed.
function constantOf({ y }) {
  const finite = y.filter((value) => Number.isFinite(value));
  return finite.length > 0 && finite.every((value) => Math.abs(value - finite[0]) <= 1e-5 * Math.abs(finite[0])) ? finite[0] : null;
}

/// What never changed, in words instead of plots of flat lines.
function constantText(panel, runs) {
  const names = new Map();
  for (const run of runs)
    for (const { column, rest } of panel.pick(run)) names.set(runs.length > 1 ? `${run.label}: ${rest}` : rest, constantOf(column.trials[0]));
  const values = new Set(names.values());
  const what = values.size === 1 ? number([...values][0]) : [...names].map(([name, value]) => `${name} ${number(value)}`).join(", ");
  return element("li", "", `${typeof panel.title === "function" ? panel.title(runs) : panel.title}: ${what}`);
}

/// How a run came about that was not trained.
function solvedText(run) {
  const words = `${run.solved[0].toUpperCase()}${run.solved.slice(1)}: the coefficients of fixed functions are the answer of least squares. Nothing was trained, and no equation had a multiplier.`;
  return element("p", "", run.label ? element("strong", "", `${run.label}: `) : null, words);
}

function historySection(runs) {
  const solved = runs.filter((run) => run.solved), trained = runs.filter((run) => !run.solved);
  const oneEach = (run) => run.about.windows > 1 && run.trials.every((trial) => trial.epochs <= run.about.windows);
  stepName = trained.length > 0 ? "epoch" : solved.every(oneEach) ? "window" : "step";
  const heading = [section("training", trained.length === 0 ? "The solve" : "Training"), ...solved.map(solvedText)];
  // Of a few steps there are no curves, and what they ended with is above.
  runs = runs.filter((run) => !run.solved || run.history.columns.some((c) => c.trials.some((t) => t.x.length > 2)));
  if (runs.length === 0) return heading;
  const shortest = Math.max(0, ...runs.flatMap((run) => run.history.columns.flatMap((c) => c.trials.map((t) => t.x.length))));
  if (!hasPlots || shortest < 3)
    return [...heading, shortest < 3 && hasPlots ? element("p", "soft", "Too few steps for curves: their last numbers.") : null,
            ...runs.map((run) => historyTable(run, shortest < 3))];
  const drawable = PANELS.map((panel) => ({ panel, traces: panelTraces(panel, runs) }))
    .filter(({ traces }) => traces.some((trace) => trace.y.some((value) => Number.isFinite(value))));
  const flat = (entry) => entry.panel.key !== "loss" && entry.traces.every((trace) => constantOf(trace) !== null);
  const panels = drawable.filter((entry) => !flat(entry)).map(({ panel }) => panel);
  const constant = drawable.filter(flat).map(({ panel }) => panel);
  redrawHistories = () => {
    for (const panel of panels) {
      const { traces, lay } = panelPicture(panel, runs);
      redraw(`history-${panel.key}`, traces, lay);
    }
    drawAll();
  };
  const note = runs.some((run) => run.trials.length > 1) ? element("p", "soft", "Lines are means over trials that did not fail, bands ± one standard deviation.") : null;
  return [...heading, historyControls(runs), note,
          element("div", "plots", panels.map((panel) => {
            const { traces, lay } = panelPicture(panel, runs);
            return plot(`history-${panel.key}`, typeof panel.title === "function" ? panel.title(runs) : panel.title, traces, lay);
          })),
          constant.length > 0 ? element("div", "constant", element("h3", "group", `Constant from the first to the last ${stepName}`),
                                        element("ul", "", constant.map((panel) => constantText(panel, runs)))) : null,
          ...runs.flatMap(windowSection)];
}

/// "constraint.walls" and "error.u.linf" in words.
function columnLabel(name) {
  const dot = name.indexOf("."), rest = name.slice(dot + 1);
  if (dot < 0) return NAMES[name] || name.replaceAll("_", " ");
  return name.startsWith("error.") ? `error of ${errorLabel(rest)}` : `${name.slice(0, dot).replaceAll("_", " ")} ${rest}`;
}

/// Without plots: every column at a few epochs of the first trial, or at the last one.
function historyTable(run, lastOnly) {
  // What is relative to a start of zero is no number for people.
  const columns = run.history.columns.filter((c) => c.trials.length > 0 && c.trials[0].x.length > 0 && !(Math.abs(c.trials[0].y.at(-1)) > 1e100));
  if (lastOnly)
    return table([{ title: "of the first trial" }, { title: "value", kind: "number" }], columns.map((c) => [columnLabel(c.name), number(c.trials[0].y.at(-1))]));
  const rows = columns.map((column) => {
    const { x, y } = column.trials[0];
    const at = (share) => number(y[Math.round(share * (x.length - 1))]);
    return [columnLabel(column.name), at(0), at(0.25), at(0.5), at(0.75), at(1)];
  });
  const titles = ["first trial", "start", "¼", "½", "¾", "end"];
  return table(titles.map((title, i) => ({ title, kind: i ? "number" : "" })), rows);
}
