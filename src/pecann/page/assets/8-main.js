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

const SOLUTION_KEYS = ["fields", "profiles", "snapshots", "snapshot_times", "contour_times", "residual_points", "error_maps", "points", "multipliers", "measured", "fourier", "bodies"];
let shown = [];  // the runs on the page

/// What belongs to a run knows its units.
function addUnits(run) {
  run.units = run.about.units || {};
  for (const key of ["fields", "profiles", "snapshots", "error_maps", "bodies", "measured"]) for (const one of run[key]) one.units = run.units;
}

/// A live page gets the solution only when there is a new one: what is missing stays as it was.
function completed(runs) {
  runs.forEach((run, r) => {
    const before = shown[r] && shown[r].version === run.version ? shown[r] : {};
    for (const key of SOLUTION_KEYS) run[key] = run[key] || before[key] || [];
    addUnits(run);
    addEstimatesSoFar(run);
  });
  shown = runs;
  return runs;
}

/// A live page keeps the pictures of the solution, which take the longest to draw, until there are new ones.
let kept = { version: null, parts: [] };
function solutionParts(live, runs) {
  if (!live || kept.version !== runs[0].version)
    kept = { version: runs[0].version, parts: [...(runs.length > 1 && hasPlots ? comparedProfiles(runs) : []), ...runs.flatMap(fieldSection), ...runs.flatMap(failureSection),
                                              ...problemSections(runs)] };
  return kept.parts;
}

/// What is known of the error of a run that still trains: the last estimate, or when there will be one.
function estimateSoFar(run) {
  const known = run.so_far;
  if (!known) return null;
  if (!known.estimate) return element("p", "soft", `Estimated error: not known yet${known.note ? `; ${known.note}` : ""}.`);
  const of = run.progress && run.progress.trials > 1 ? ` of trial ${known.trial}` : "";
  const scalars = known.estimate.scalars.filter((scalar) => Number.isFinite(scalar.standard_error));
  return element("div", "", element("p", "soft", `Estimated error${of} at epoch ${known.epoch}:`), estimateTable({ estimate: known.estimate, trials: [] }),
                 scalars.length > 0 ? element("p", "", scalars.map((s) => `${s.name} = ${quantity(run, s.name, `${number(s.value, 5)} ± ${number(s.standard_error, 2)}`)}`).join(", ")) : null);
}

/// The decisions of a search for an accuracy, with the estimate of every attempt.
function storyBox(lines) {
  return element("div", "notice live", element("strong", "", "The search so far"), element("ol", "story", lines.map((line) => element("li", "", line))));
}

/// How far a run is that still trains.
function progressBox(run) {
  const progress = run.progress;

  const share = Math.max(0, Math.min(1, progress.share || 0)), bar = element("div", "bar", element("span", ""));
  bar.firstChild.style.width = `${(100 * share).toFixed(1)}%`;
  bar.setAttribute("role", "progressbar");
  bar.setAttribute("aria-label", "training");
  bar.setAttribute("aria-valuenow", (100 * share).toFixed(0));
  const words = [`${(100 * share).toFixed(0)} %`];
  if (progress.trials > 1) words.push(`trial ${progress.trial} of ${progress.trials}`);
  if (progress.windows > 1) words.push(`window ${progress.window} of ${progress.windows}`);
  if (progress.phase) words.push(`phase ${progress.phase}`);
  if (progress.epoch) words.push(`epoch ${progress.epoch}${progress.epochs < 1e8 ? ` of ${progress.epochs}` : ""}`);
  if (progress.seconds) words.push(`${duration(progress.seconds)} so far`);
  if (Number.isFinite(progress.left) && progress.left > 0) words.push(`at most about ${duration(progress.left)} to go`);
  const known = [];
  if (Number.isFinite(progress.error)) known.push(`relative l² error ${number(progress.error)}`);
  if (Number.isFinite(progress.residual)) known.push(`the equations hold to ${number(progress.residual)} of the size of their parts at points that training has not seen`);
  return element("div", "notice live", stopButton, element("strong", "", "In training. "), words.join(", "), known.length > 0 ? element("div", "", `So far: ${known.join("; ")}.`) : null, bar, estimateSoFar(run));
}

/// The address of something of the server that serves this page; it wants the token that the page's own address has.
const ofServer = (name, more = "") => `${name}?token=${encodeURIComponent(new URLSearchParams(location.search).get("token") || "")}${more}`;

/// Ends the run in order, as Ctrl-C does: after its epoch, with its state saved. One button for all updates of the page: a new one
/// between the pressing and the releasing of the mouse would never be clicked.
const stopButton = element("button", "stop", "stop the run");
stopButton.addEventListener("click", async () => {
  stopButton.disabled = true;
  stopButton.textContent = "stopping …";
  try {
    stopButton.disabled = (await fetch(ofServer("stop"), { method: "POST" })).ok;
  } catch (error) {  // it has ended by itself
    return;
  }
  if (!stopButton.disabled) stopButton.textContent = "stop the run";
});

let keptReport = null;  // the address of the report in this browser's memory, which stays when the server has gone

/// Takes the report of the ended run from the server, which waits for that a few seconds.
async function keepReport() {
  try {
    const answer = await fetch(ofServer("report"), { cache: "no-store" });
    if (answer.ok) keptReport = URL.createObjectURL(new Blob([await answer.arrayBuffer()], { type: "text/html" }));
  } catch (error) {
    return;  // its name is on the page
  }
}

/// Where the finished report is. A browser opens a file from a page of the web only when its name is pasted, so that the link is to a copy.
function endedBox(report) {
  const link = keptReport ? Object.assign(element("a", "", "Open its report"), { href: keptReport, target: "_blank" }) : "Its report";
  return element("div", "notice live", element("strong", "", "The run has ended. "), link, ": ", element("code", "", report));
}

function singleRun(run) {
  return [...runHeading(run), verdictBox(run), estimateTable(run), errorTable(run), scalarTable(run),
          run.residual_note ? element("div", "notice", run.residual_note) : null];
}

function severalRuns(runs) {
  return [element("h1", "", `${runs.length} runs side by side`), comparisonTable(runs), ...(differenceTable(runs) || []),
          ...runs.flatMap((run, index) => [section("verdict", run.label, index), verdictBox(run), estimateTable(run), errorTable(run), scalarTable(run)])];
}

function render(data) {
  const runs = completed(data.runs);
  if (runs.length === 0) {
    const begun = element("div", "notice", "The run has just begun; the page will follow it.");
    document.getElementById("report").replaceChildren(...(data.story && data.story.length > 0 ? [storyBox(data.story)] : []), begun);
    return;
  }
  labelRuns(runs);
  document.title = shortened(runs[0].title || runs[0].source || runs[0].folder, 80) + " · pecann";
  pageName = runs[0].folder.split("/").filter((part) => part).pop() || "pecann";
  const parts = [];
  if (!hasPlots) parts.push(element("div", "notice", NO_PLOTS));
  if (data.report) parts.push(endedBox(data.report));
  if (data.story && data.story.length > 0) parts.push(storyBox(data.story));
  if (data.live && !data.report) parts.push(runs[0].progress ? progressBox(runs[0]) : element("div", "notice live", "This run is training; the page follows it."));
  if (data.race) {
    parts.push(...racePage(data.race, runs));
  } else {
    parts.push(...(runs.length > 1 ? severalRuns(runs) : singleRun(runs[0])));
    parts.push(...solutionParts(data.live, runs), ...historySection(runs), ...runs.flatMap(statePlots), ...runs.flatMap(factsSection));
    parts.splice(parts.findIndex((part) => part && part.tagName === "H2"), 0, contents(parts));
  }
  parts.push(element("footer", "", "Residuals are in the units of their equations. “Fresh points” are random points that training has not " +
                                    "seen: a ratio far above 1 means that the points are fitted, not the equation."));
  const place = window.scrollY;
  document.getElementById("report").replaceChildren(...parts.filter((part) => part));
  drawAll();
  if (data.live) window.scrollTo(0, place);
}

/// The same page in other colours.
function repaint(next) {
  useTheme(next);
  kept.version = null;
  if (current) render(current);
}

let unanswered = 0;  // questions in a row
const MOST_UNANSWERED = 5;

/// Asks for the present data; null where no answer comes. A busy machine may drop one.
async function ask() {
  try {
    const have = shown.length > 0 ? shown[0].version : -1;
    const answer = await fetch(ofServer("data.json", `&have=${have}`), { cache: "no-store" });
    const data = answer.ok ? await answer.json() : null;
    unanswered = 0;
    return data;
  } catch (error) {
    ++unanswered;
    return null;
  }
}

async function follow() {
  const data = await ask();
  if (unanswered >= MOST_UNANSWERED) {  // the run has ended and its server with it
    const folder = shown.length > 0 ? shown[0].folder : "its folder";
    document.querySelector(".notice")?.replaceChildren(element("strong", "", "The run no longer answers: it has ended. "), "Its report: ",
                                                       element("code", "", `${folder}/report.html`));
    return;
  }
  if (data) {
    if (data.report) await keepReport();  // before the pictures, which take a while where the machine is busy
    current = data;
    render(current);
    if (!current.live || current.report) return;
  }
  setTimeout(follow, 1000);
}

let current = JSON.parse(document.getElementById("data").textContent);
render(current);
requestAnimationFrame(() => setTimeout(() => { loadPlotly(); drawAll(); }));
darkMode.addEventListener("change", () => repaint(darkMode.matches ? DARK : LIGHT));
window.addEventListener("beforeprint", () => { if (theme === DARK) repaint(LIGHT); drawAll(true); });
window.addEventListener("afterprint", () => { if (darkMode.matches) repaint(DARK); });
if (current.live) setTimeout(follow, 1000);
