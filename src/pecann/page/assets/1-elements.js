"use strict";
// Elements, numbers, binary arrays. Texts of a problem become text nodes and nothing else.

/// element("p", "class names", child, …); children are strings (as text) or nodes.
function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

/// Three significant digits; "–" where there is no number.
function number(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value);
  if (size >= 1e5 || size < 1e-2) return value.toExponential(digits - 1);
  return String(Number(value.toPrecision(digits)));
}

function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds > 0 && seconds < 1e-3) return number(1e6 * seconds) + " µs";
  if (seconds > 0 && seconds < 1) return number(1e3 * seconds) + " ms";
  if (seconds < 60) return number(seconds) + " s";
  const whole = Math.round(seconds);
  const two = (n) => String(n).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/// The trials that statistics are over: those that did not fail, or all where all failed.
function soundTrials(run) {
  const sound = run.trials.filter((trial) => !trial.failed);
  return sound.length > 0 ? sound : run.trials;
}

/// Mean and standard deviation (n − 1); none where one of the numbers is missing or not finite, and the best of the others.
function spread(values) {
  const present = values.filter((v) => Number.isFinite(v));
  if (present.length === 0 || present.length < values.length)
    return { mean: NaN, std: NaN, best: present.length > 0 ? Math.min(...present) : NaN };
  const mean = present.reduce((a, b) => a + b, 0) / present.length;
  const squares = present.reduce((a, b) => a + (b - mean) ** 2, 0);
  return {
    mean,
    std: present.length > 1 ? Math.sqrt(squares / (present.length - 1)) : NaN,
    best: Math.min(...present),
  };
}

function spreadText(values) {
  const { mean, std } = spread(values);
  if (Number.isNaN(std)) return number(mean);
  return `${number(mean)} ± ${std < 1e-9 * Math.abs(mean) ? "0" : number(std, 2)}`;
}

/// columns: [{title, kind: "number" | "text" | ""}]; rows: arrays of strings or nodes.
function table(columns, rows) {
  const head = element("tr", "", columns.map((c) => element("th", c.kind || "", c.title)));
  const body = rows.map((row) => element("tr", "", row.map((cell, i) => element("td", columns[i].kind || "", cell))));
  return scrollable(element("div", "table", element("table", "", element("thead", "", head), element("tbody", "", body))));
}

/// Who uses no mouse can scroll what is too wide or too long for its place, and need not stop at the rest.
const scrollWatcher = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
function scrollable(made) {
  scrollWatcher.observe(made);
  return made;
}

/// Base64 of little-endian float32, as the program writes them.
function floats(text) {
  const bytes = atob(text);
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let i = 0; i < bytes.length; ++i) view.setUint8(i, bytes.charCodeAt(i));
  const values = new Float32Array(bytes.length / 4);
  for (let i = 0; i < values.length; ++i) values[i] = view.getFloat32(4 * i, true);
  return values;
}

function shortened(text, limit = 40) {
  const characters = Array.from(text);
  return characters.length <= limit ? text : characters.slice(0, limit - 1).join("") + "…";
}

/// What a name of the problem is measured in, where the file says so. `owner` is a run or what belongs to one (addUnits).
const unitOf = (owner, name) => (owner.units && Object.hasOwn(owner.units, name) ? owner.units[name] : "");
/// "u (K)": the name on an axis.
const withUnit = (owner, name) => (unitOf(owner, name) ? `${shortened(name)} (${unitOf(owner, name)})` : shortened(name));
/// "0.5 s": a number and what it is measured in.
const quantity = (owner, name, text) => (unitOf(owner, name) ? `${text} ${unitOf(owner, name)}` : text);

/// The last of some frames, or the one before it that shows something: what is not trained yet has no numbers.
function lastKnown(frames, valuesOf, start = frames - 1) {
  for (let frame = start; frame > 0; --frame) if (valuesOf(frame).some((value) => Number.isFinite(value))) return frame;
  return 0;
}

/// Smallest and largest of the numbers; a constant stands in the middle between two others.
function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || Number.isNaN(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const room = Math.abs(low) / 2 || 0.5;
  return low <= high ? (high > low ? [low, high] : [low - room, low + room]) : [0, 1];
}

/// A heading of the page that its table of contents names; `index` tells apart the sections of several runs.
function section(id, title, index = 0) {
  const heading = element("h2", "", title);
  heading.id = index > 0 ? `${id}-${index}` : id;
  return heading;
}

/// Links to all headings of the page.
function contents(parts) {
  const headings = parts.filter((part) => part && part.tagName === "H2" && part.id);
  const links = headings.map((heading) => Object.assign(element("a", "", heading.textContent), { href: `#${heading.id}` }));
  const nav = element("nav", "contents", links);
  nav.setAttribute("aria-label", "Contents");
  return nav;
}
