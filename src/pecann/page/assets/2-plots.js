// Plots: one look for all of them, kept over redraws so that zoom and sliders survive an update.

/// Okabe and Ito's colours without yellow, which is too faint for lines; lighter ones on a dark ground.
const LIGHT = { ink: "#1b1f24", soft: "#59636e", line: "#8c959f", grid: "#e6eaee", ground: "#ffffff",
                colours: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"] };
const DARK = { ink: "#e6edf3", soft: "#9aa5b1", line: "#6b7682", grid: "#2b323b", ground: "#12161c",
               colours: ["#56B4E9", "#E69F00", "#2fc39a", "#E29BC4", "#F0E442", "#5f9fd8", "#ffffff"] };
const darkMode = window.matchMedia("(prefers-color-scheme: dark)");
let theme = darkMode.matches ? DARK : LIGHT;
let COLOURS = theme.colours;
function useTheme(next) { theme = next; COLOURS = next.colours; }
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
/// plotly.js waits in the page as text until the words have been painted.
const hasPlots = document.getElementById("plotly").textContent.length > 0;
function loadPlotly() {
  if (!hasPlots || typeof Plotly !== "undefined") return;
  const script = document.createElement("script");
  script.textContent = document.getElementById("plotly").textContent;
  document.head.append(script);
}
const areas = new Map();  // key → the element that Plotly draws into

/// Plotly reads a few HTML tags and entities in its texts: names of a problem must not be read so.
function plain(text) {
  return shortened(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function axis(title, type = "linear", more = {}) {
  const powers = type === "log" ? { exponentformat: "power", nticks: 7 } : { nticks: 7, exponentformat: "power" };
  return {
    title: { text: title, standoff: 6 }, type, automargin: true, zeroline: false, gridcolor: theme.grid, linecolor: theme.line,
    ticks: "outside", tickcolor: theme.line, ...powers, ...more,
  };
}

/// An axis for these values: logarithmic where none is negative (zeros are left out then) and their range is wide, with ticks at
/// whole decades.
function valueAxis(title, values) {
  const positive = values.filter((value) => value > 0);
  const [low, high] = rangeOf(positive.length > 0 && !values.some((value) => value < 0) ? positive : values);
  if (!(low > 0) || high < 10 * low) {
    // Values that differ by rounding only are shown as the constant that they are.
    const flat = high - low <= 1e-5 * Math.abs(high);
    return axis(title, "linear", flat ? { range: [low - 0.5 * (Math.abs(low) || 1), low + 0.5 * (Math.abs(low) || 1)] } : {});
  }
  const decades = Math.log10(high / low);
  return axis(title, "log", { dtick: decades > 2 ? Math.ceil(decades / 6) : "D2" });
}

/// A colour bar as it stands beside every map.
const BAR = { thickness: 12, outlinewidth: 0, xpad: 4, ypad: 0 };

/// Ticks at round numbers: { tickvals, ticktext }.
function roundTicks([low, high], most = 6) {
  const least = (high - low) / most, decade = 10 ** Math.floor(Math.log10(least));
  const step = decade * [1, 2, 2.5, 5, 10].find((factor) => factor * decade >= least * (1 - 1e-9));
  const tickvals = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) tickvals.push(n * step || 0);
  const size = Math.max(Math.abs(low), Math.abs(high)), exponents = size < 1e-2 || size >= 1e5;
  const text = (value) => (exponents && value !== 0 ? Number(value.toPrecision(4)).toExponential() : String(Number(value.toPrecision(6)))).replaceAll("-", "−");
  return { tickvals, ticktext: tickvals.map(text) };
}

/// What the pointer reads of a line or of points: names, numbers and units.
function hoverText(owner, x, y, yName = y) {
  const unit = (name) => (unitOf(owner, name) ? ` ${plain(unitOf(owner, name))}` : "");
  return `${plain(x)} = %{x:.4~g}${unit(x)}<br>${plain(yName)} = %{y:.4~g}${unit(y)}`;
}

/// The legend stands below, where the buttons of the plot (top right, while the pointer is over it) do not cover it.
function layout(x, y, more = {}) {
  return {
    margin: { l: 56, r: 14, t: 28, b: 44 }, font: { family: "system-ui, DejaVu Sans, sans-serif", size: 12, color: theme.ink },
    paper_bgcolor: theme.ground, plot_bgcolor: theme.ground, hovermode: "closest", showlegend: false, xaxis: x, yaxis: y,
    legend: { orientation: "h", x: 0, y: 0, yref: "container", yanchor: "bottom", font: { size: 11 } },
    modebar: { bgcolor: "rgba(255,255,255,0)", color: theme.line, activecolor: theme.ink }, ...more,
  };
}

/// The numbers of a plot as text: one block of columns for each of its traces, below the names on the axes.
function csvOf(area) {
  const cell = (value) => (value === null || value === undefined ? "" : /[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  const words = (text) => cell(String(text).replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&"));
  const [x, y] = ["xaxis", "yaxis"].map((name) => words(area.layout[name].title.text || name[0]));
  const blocks = area.data.filter((trace) => trace.hoverinfo !== "skip" || trace.fill).map((trace) => {
    const name = words(trace.name || area.dataset.title);
    if (trace.z) return [`${x},${y},${name}`, ...trace.z.flatMap((row, j) => Array.from(row, (value, i) => [trace.x[i], trace.y[j], value].map(cell).join(",")))];
    const more = trace.customdata;  // numbers of points on a map, or half the width of a band
    return [more ? `${x},${y},${name}` : `${x},${name}`, ...Array.from(trace.x, (at, i) => [at, trace.y[i], ...(more ? [more[i]] : [])].map(cell).join(","))];
  });
  return blocks.map((block) => block.join("\n")).join("\n\n") + "\n";
}

function download(name, text, type) {
  const link = Object.assign(element("a"), { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/// "wave-1d-field-u-prediction": what a downloaded picture is called.
let pageName = "pecann";
const fileName = (area) => `${pageName}-${(area.dataset.title || "plot").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}`;

/// Nothing leaves the page: no button that uploads a plot.
function configFor(area, small) {
  const disk = Plotly.Icons.disk, camera = Plotly.Icons.camera_retro || Plotly.Icons.camera;
  return {
    responsive: true, displaylogo: false, showSendToCloud: false, displayModeBar: small ? false : "hover",
    toImageButtonOptions: { format: "png", scale: 2, filename: fileName(area) },
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    modeBarButtonsToAdd: [
      { name: "svg", title: "Download the picture as SVG", icon: camera, click: (it) => Plotly.downloadImage(it, { format: "svg", filename: fileName(it) }) },
      { name: "csv", title: "Download the data as CSV", icon: disk, click: (it) => download(`${fileName(it)}.csv`, csvOf(it), "text/csv") },
    ],
  };
}

const WIDE = 700;  // pixels; wider plots have a row of their own

/// A titled plot. `key` names it through redraws; `size` is "", "tall" or "low"; `traces` may be a function that makes them. It is
/// drawn when it comes into view: text is there at once however many plots there are.
function plot(key, title, traces, lay, size = "") {
  if (!hasPlots) return null;
  let area = areas.get(key);
  if (!area) {
    area = element("div", `area ${size}`);
    area.dataset.plot = key;
    areas.set(key, area);
    watcher.observe(area);
  }
  area.dataset.title = title || area.dataset.title || key;
  area.setAttribute("role", "figure");  // not "img": its buttons are reached by the keyboard
  area.setAttribute("aria-label", area.dataset.title);
  if (lay.pecannWidth) area.style.maxWidth = `${lay.pecannWidth}px`;
  if (lay.pecannHeight) area.style.height = `${lay.pecannHeight}px`;
  redraw(key, traces, lay);
  const wide = lay.pecannWidth > WIDE ? " wide" : "";
  return element("div", `plot${wide}`, title ? element("h3", "", title) : null, area);
}

/// The same plot with other content, where it stands; drawn by drawAll, or when it is looked at.
function redraw(key, traces, lay) {
  pending.set(areas.get(key), { traces, lay, key });
}

const pending = new Map();  // area → what it will show
const inView = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting) inView.add(entry.target);
    else inView.delete(entry.target);
  }
  drawAll();
}, { rootMargin: "300px" });

function draw(area) {
  const { traces, lay, key } = pending.get(area);
  pending.delete(area);
  const { pecannWidth, pecannHeight, ...rest } = lay;
  Plotly.react(area, typeof traces === "function" ? traces() : traces, { ...rest, uirevision: key }, configFor(area, area.classList.contains("low")));
}

const canvases = new Map();  // element → draws it: pictures that are not Plotly's

/// Draws what is in view and has changed; `everything` also what is not, for printing.
function drawAll(everything = false) {
  if (everything) loadPlotly();
  for (const [canvas, paint] of everything ? canvases : []) if (canvas.isConnected) paint();
  if (typeof Plotly === "undefined") return;
  for (const area of [...pending.keys()]) if (area.isConnected && (everything || inView.has(area))) draw(area);
}

/// Vertical lines where phases or windows begin; labels only where the one before leaves room. `last` is the end of the axis.
function markShapes(marks, logarithmic, last) {
  const shapes = marks.map((mark) => ({ type: "line", x0: mark.x, x1: mark.x, yref: "paper", y0: 0, y1: 1,
                                        line: { color: theme.line, width: 1, dash: "dot" } }));
  const place = (x) => (logarithmic ? Math.log10(x) : x);
  const room = 0.14 * (place(last) - place(1));
  let free = -Infinity;
  const annotations = [];
  for (const mark of marks) {
    if (place(mark.x) < free) continue;
    free = place(mark.x) + room;
    const atEnd = free > place(last);  // there is no room to its right
    annotations.push({ x: place(mark.x), yref: "paper", y: 1, text: plain(mark.label), showarrow: false, xanchor: atEnd ? "right" : "left",
                       yanchor: "top", xshift: atEnd ? -2 : 2, font: { size: 10, color: theme.soft } });
  }
  return { shapes, annotations };
}

/// The colours of a band around a line.
function faded(colour, alpha) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${alpha})`;
}

/// A line with a band around it; one entry of the legend.
function bandTraces(x, mean, low, high, name, line, hover) {
  const edge = { x, mode: "lines", line: { width: 0 }, hoverinfo: "skip", showlegend: false, legendgroup: name };
  return [
    { ...edge, y: low },
    { ...edge, y: high, fill: "tonexty", fillcolor: faded(line.color, 0.2) },
    { x, y: mean, mode: "lines", name, line, hovertemplate: hover, legendgroup: name },
  ];
}
