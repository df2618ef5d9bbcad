// Plots: one look for all of them, kept over redraws so that zoom and sliders survive an update.

/// Okabe and Ito's colours without yellow, which is too faint for lines on white.
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const hasPlots = typeof Plotly !== "undefined";
const areas = new Map();  // key → the element that Plotly draws into

/// Plotly reads a few HTML tags and entities in its texts: names of a problem must not be read so.
function plain(text) {
  return shortened(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function axis(title, type = "linear", more = {}) {
  const powers = type === "log" ? { exponentformat: "power", nticks: 7 } : { nticks: 7, exponentformat: "power" };
  return {
    title: { text: title, standoff: 6 }, type, automargin: true, zeroline: false, gridcolor: "#e6eaee", linecolor: "#8c959f",
    ticks: "outside", tickcolor: "#8c959f", ...powers, ...more,
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

/// The legend stands below, where the buttons of the plot (top right, while the pointer is over it) do not cover it.
function layout(x, y, more = {}) {
  return {
    margin: { l: 56, r: 14, t: 28, b: 44 }, font: { family: "system-ui, DejaVu Sans, sans-serif", size: 12, color: "#1b1f24" },
    paper_bgcolor: "#fff", plot_bgcolor: "#fff", hovermode: "closest", showlegend: false, xaxis: x, yaxis: y,
    legend: { orientation: "h", x: 0, y: 0, yref: "container", yanchor: "bottom", font: { size: 11 } },
    modebar: { bgcolor: "rgba(255,255,255,0)", color: "#8c959f", activecolor: "#1b1f24" }, ...more,
  };
}

/// Nothing leaves the page: no button that uploads a plot.
const CONFIG = { responsive: true, displaylogo: false, showSendToCloud: false, toImageButtonOptions: { format: "png", scale: 2 },
                 modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"] };

/// A titled plot. `key` names it through redraws; `size` is "", "tall" or "low".
function plot(key, title, traces, lay, size = "") {
  if (!hasPlots) return null;
  let area = areas.get(key);
  if (!area) {
    area = element("div", `area ${size}`);
    area.dataset.plot = key;
    areas.set(key, area);
  }
  redraw(key, traces, lay, size === "low" ? { ...CONFIG, displayModeBar: false } : CONFIG);
  return element("div", "plot", title ? element("h3", "", title) : null, area);
}

/// The same plot with other content, where it stands.
function redraw(key, traces, lay, config = CONFIG) {
  drawn.push(() => Plotly.react(areas.get(key), traces, { ...lay, uirevision: key }, config));
}

/// Drawing waits until the elements are in the page, where their width is known.
let drawn = [];
function drawAll() {
  const waiting = drawn;
  drawn = [];
  for (const draw of waiting) draw();
}

/// Vertical lines where phases or windows begin; labels only where the one before leaves room. `last` is the end of the axis.
function markShapes(marks, logarithmic, last) {
  const shapes = marks.map((mark) => ({ type: "line", x0: mark.x, x1: mark.x, yref: "paper", y0: 0, y1: 1,
                                        line: { color: "#8c959f", width: 1, dash: "dot" } }));
  const place = (x) => (logarithmic ? Math.log10(x) : x);
  const room = 0.14 * (place(last) - place(1));
  let free = -Infinity;
  const annotations = [];
  for (const mark of marks) {
    if (place(mark.x) < free) continue;
    free = place(mark.x) + room;
    annotations.push({ x: place(mark.x), yref: "paper", y: 1, text: plain(mark.label), showarrow: false, xanchor: "left",
                       yanchor: "top", xshift: 2, font: { size: 10, color: "#59636e" } });
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
