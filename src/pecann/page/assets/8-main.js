// Puts the page together from the data, and again for every update of a live run.

const NO_PLOTS = "This pecann was built without plotly.js, so there are tables instead of plots. Remove embedded/plotly.js from its " +
                 "build folder and build again with a network (it comes from npm), or give cmake -DPECANN_PLOTLY=FILE with " +
                 "plotly-cartesian.min.js; then run `pecann report` on this folder.";

/// Short names for runs that are compared: what is left of their folders without the part they share.
function labelRuns(runs) {
  if (runs.length === 1) { runs[0].label = ""; return; }
  const paths = runs.map((run) => run.folder.split("/").filter((part) => part));
  const shared = (i) => paths.every((path) => path.length > i + 1 && path[i] === paths[0][i]);
  let skip = 0;
  while (shared(skip)) ++skip;
  runs.forEach((run, r) => { run.label = shortened(paths[r].slice(skip).join("/"), 30); });
}

const SOLUTION_KEYS = ["fields", "profiles", "snapshots", "snapshot_times", "contour_times", "points", "multipliers", "measured", "fourier"];
let shown = [];  // the runs on the page

/// A live page gets the solution only when there is a new one: what is missing stays as it was.
function completed(runs) {
  runs.forEach((run, r) => {
    const before = shown[r] && shown[r].version === run.version ? shown[r] : {};
    for (const key of SOLUTION_KEYS) run[key] = run[key] || before[key] || [];
  });
  shown = runs;
  return runs;
}

/// A live page keeps the pictures of the solution, which take the longest to draw, until there are new ones.
let kept = { version: null, parts: [] };
function solutionParts(live, runs) {
  if (!live || kept.version !== runs[0].version)
    kept = { version: runs[0].version, parts: runs.flatMap(fieldSection) };
  return kept.parts;
}

function render(data) {
  const runs = completed(data.runs);
  if (runs.length === 0) {
    document.getElementById("report").replaceChildren(element("div", "notice", "The run has just begun; the page will follow it."));
    return;
  }
  labelRuns(runs);
  document.title = shortened(runs[0].title || runs[0].source || runs[0].folder, 80) + " · pecann";
  const parts = [];
  if (!hasPlots) parts.push(element("div", "notice", NO_PLOTS));
  if (data.live) parts.push(element("div", "notice", "This run is training; the page follows it."));
  if (runs.length > 1) {
    parts.push(element("h1", "", `${runs.length} runs side by side`), comparisonTable(runs));
    runs.forEach((run) => parts.push(element("h2", "", run.label), verdictBox(run), errorTable(run), termTable(run), scalarTable(run)));
  } else {
    parts.push(...runHeading(runs[0]), verdictBox(runs[0]), errorTable(runs[0]), scalarTable(runs[0]), termTable(runs[0]));
    if (runs[0].residual_note) parts.push(element("div", "notice", runs[0].residual_note));
  }
  parts.push(...historySection(runs));
  if (runs.length > 1 && hasPlots) parts.push(...comparedProfiles(runs));
  parts.push(...solutionParts(data.live, runs));
  runs.forEach((run, i) => parts.push(...detailSection(run, i)));
  parts.push(element("footer", "", "Residuals are in the units of their equations. “Fresh points” are as many random points as were " +
                                    "trained on, drawn anew: a ratio far above 1 means that the points are fitted, not the equation."));
  const place = window.scrollY;
  document.getElementById("report").replaceChildren(...parts.filter((part) => part));
  drawAll();
  window.scrollTo(0, place);
}

async function follow() {
  try {
    const have = shown.length > 0 ? shown[0].version : -1;
    const answer = await fetch(`data.json?have=${have}`, { cache: "no-store" });
    if (answer.ok) {
      const data = await answer.json();
      render(data);
      if (!data.live) return;
    }
  } catch (error) {  // the run has ended and its server with it
    document.querySelector(".notice")?.replaceChildren("The run no longer answers: it has ended. Its folder holds report.html.");
    return;
  }
  setTimeout(follow, 1000);
}

const data = JSON.parse(document.getElementById("data").textContent);
render(data);
if (data.live) setTimeout(follow, 1000);
