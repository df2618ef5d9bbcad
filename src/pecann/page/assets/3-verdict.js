// The top of the page: what was solved, whether the answer can be trusted, and the numbers behind that.

/// What stands between backticks as code.
function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? element("code", "", part) : part));
}

function verdictBox(run) {
  const verdict = run.verdict;
  const lines = verdict.findings.map((f) =>
    element("li", "", element("span", `badge level-${f.level}`, f.level), element("span", "", withCode(f.text))));
  for (const advice of verdict.advice)
    lines.push(element("li", "", element("span", "badge try", "try"), element("span", "", withCode(advice))));
  return element("div", `verdict level-${verdict.level}`, element("div", "headline", verdict.headline), element("ul", "", lines));
}

function runHeading(run) {
  const recipe = run.recipe ? `recipe ${run.recipe}, ` : "";
  return [
    scrollable(element("h1", "long", run.title || run.source || run.folder)),
    element("p", "soft", `${run.folder}: ${recipe}${run.solved ? "" : `strategy ${run.strategy}, `}seed ${run.seed}, ` +
                         `${run.trials.length} trial${run.trials.length === 1 ? "" : "s"}`),
  ];
}

const MEASURES = { relative_l2: "relative l²", linf: "l∞ (largest)", l1: "l¹", integral: "integral",
                   finite_differences: "relative l², finite differences", projected: "relative l², free modes out" };

function errorTable(run) {
  const rows = [];
  const trials = soundTrials(run), first = trials[0];
  (first ? first.errors : []).forEach((error, i) => {
    const values = trials.map((trial) => (trial.errors[i] ? trial.errors[i].value : NaN));
    const measured = (text) => (error.measure === "linf" ? quantity(run, error.field, text) : text);
    rows.push([error.field, MEASURES[error.measure] || error.measure, measured(spreadText(values)), measured(number(spread(values).best))]);
  });
  if (rows.length === 0) return null;
  const several = trials.length > 1;
  const over = trials.length < run.trials.length ? `${trials.length} of ${run.trials.length} trials` : "trials";
  const columns = [{ title: "field" }, { title: "error" },
                   { title: several ? `mean ± std over ${over}` : run.trials.length > 1 ? `of ${over}` : "value", kind: "number" },
                   { title: "best", kind: "number" }];
  return several ? table(columns, rows) : table(columns.slice(0, 3), rows.map((row) => row.slice(0, 3)));
}

/// How large the error is, as far as that can be told without the solution, beside the true one where it is known.
function estimateTable(run) {
  if (!run.estimate) return null;
  if (run.estimate.fields.length === 0)
    return run.estimate.decided ? element("p", "soft", withCode(`No estimate of the error: ${run.estimate.decided}`)) : null;
  const trial = run.trials.find((one) => one.trial === run.estimate.trial);
  const truth = (field) => trial && trial.errors.find((error) => error.field === field && error.measure === "relative_l2");
  const known = run.estimate.fields.some(({ field }) => truth(field));
  const rows = run.estimate.fields.map((field) => [
    field.field, field.trusted ? number(field.relative_l2) : field.relative_l2 === null ? "not known" : `(${number(field.relative_l2)})`, field.trusted ? `${number(field.low)} … ${number(field.high)}` : "–",
    element("span", `badge level-${field.trusted ? "good" : "warning"}`, field.trusted ? "trusted" : "not trusted"),
    ...(known ? [truth(field.field) ? number(truth(field.field).value) : "–"] : []), element("span", "", withCode(field.decided))]);
  return table([{ title: "field" }, { title: "estimated relative l² error", kind: "number" }, { title: "between", kind: "number" }, { title: "" },
                ...(known ? [{ title: "true error", kind: "number" }] : []), { title: "why", kind: "text" }], rows);
}

function termTable(run) {
  // Columns of numbers that no term has are left out.
  const weights = ["multiplier", "penalty"].filter((key) => run.terms.some((term) => term[key]));
  const rows = run.terms.map((term) => [
    term.name, term.role, number(term.points), number(term.rms), number(term.largest), number(term.held_out_rms),
    number(term.ratio), number(term.relative), ...weights.map((key) => number(term[key])),
  ]);
  const columns = ["term", "role", "points", "residual rms", "largest", "rms, fresh points", "ratio", "relative to parts", ...weights.map((key) => (key === "penalty" ? "penalty μ" : "multiplier λ"))]
    .map((title, i) => ({ title, kind: i < 2 ? "" : "number" }));
  const whose = (run.trials.length > 1 ? ` of trial ${run.best}, the best one` : "") + (run.about.windows > 1 ? ", rms and largest of the last window" : "");
  return element("div", "", table(columns, rows), element("p", "soft",
    `Residuals${whose}; fresh points are others of the same regions, at least 1,000 a term, all of which count; ` +
    "relative: on fresh points, over the size of the parts of the equation."));
}

function scalarTable(run) {
  const trials = soundTrials(run), first = trials[0];
  if (!first || first.scalars.length === 0) return null;
  const rows = first.scalars.map((scalar, i) => {
    const values = trials.map((trial) => (trial.scalars[i] ? trial.scalars[i].value : NaN));
    const { mean, std } = spread(values);
    const known = scalar.exact !== undefined && scalar.exact !== null;
    const estimated = run.estimate && run.estimate.scalars.find((one) => one.name === scalar.name);
    const error = Number.isNaN(std) && estimated ? estimated.standard_error : std;
    return [scalar.name, quantity(run, scalar.name, number(mean, 6) + (Number.isFinite(error) ? ` ± ${number(error, 2)}` : "")),
            known ? quantity(run, scalar.name, number(scalar.exact, 6)) : "–",
            known && scalar.exact !== 0 ? number(Math.abs(mean / scalar.exact - 1)) : "–"];
  });
  return table([{ title: "inferred parameter" }, { title: "value", kind: "number" }, { title: "truth", kind: "number" },
                { title: "relative error", kind: "number" }], rows);
}

function trialTable(run) {
  const rows = run.trials.map((trial) => [
    trial.trial + (trial.trial === run.best && run.trials.length > 1 ? " (best)" : ""), trial.seed,
    trial.failed ? `failed: ${trial.termination}` : trial.solved ? "solved" : trial.termination,
    number(trial.epochs), number(trial.evaluations), duration(trial.seconds),
    trial.epochs > 0 ? duration(trial.seconds / trial.epochs) : "–", ...(run.solved ? [] : [number(trial.loss)]), number(trial.parameters),
    number(trial.points), trial.solved ? "its equations are solved" : trial.message,
  ]);
  const columns = ["trial", "seed", "ended", run.solved ? "steps" : "epochs", "evaluations", "time", run.solved ? "a step" : "an epoch", ...(run.solved ? [] : ["loss"]),
                   "parameters", "points", "why it stopped"].map((title) => ({ title, kind: ["trial", "ended"].includes(title) ? "" : title === "why it stopped" ? "text" : "number" }));
  return table(columns, rows);
}

/// One line per run: what several folders are compared by.
function comparisonTable(runs) {
  const fields = [];  // with the first measure that the run asks for
  for (const run of runs)
    for (const { field, measure } of run.trials[0] ? run.trials[0].errors : [])
      if (measure === run.trials[0].errors[0].measure && !fields.some((f) => f.field === field && f.measure === measure))
        fields.push({ field, measure });
  const rows = runs.map((run, r) => {
    const trials = soundTrials(run), swatch = element("span", "swatch");
    swatch.style.background = COLOURS[r % COLOURS.length];
    const errors = fields.map(({ field, measure }) => spreadText(trials.map((trial) => {
      const found = trial.errors.find((e) => e.field === field && e.measure === measure);
      return found ? found.value : NaN;
    })));
    const mean = (key) => spread(trials.map((trial) => trial[key])).mean;
    return [element("span", "", swatch, run.folder), shortened(run.title || run.source), run.recipe || "–", run.strategy, ...errors,
            duration(mean("seconds")), number(Math.round(mean("epochs"))), number(mean("loss")), trials.length < run.trials.length ? `${trials.length} of ${run.trials.length}` : String(trials.length),
            element("span", `badge level-${run.verdict.level}`, `\u00a0${run.verdict.level}\u00a0`)];
  });
  const columns = [{ title: "run" }, { title: "problem" }, { title: "recipe" }, { title: "strategy" },
                   ...fields.map(({ field, measure }) => ({ title: `${MEASURES[measure] || measure} of ${shortened(field, 20)}`, kind: "number" })),
                   { title: "time a trial", kind: "number" }, { title: "epochs", kind: "number" }, { title: "loss", kind: "number" },
                   { title: "trials", kind: "number" }, { title: "verdict" }];
  return table(columns, rows);
}
