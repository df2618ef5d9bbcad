// A sketch of the domain: which equation holds where, in the colours and numbers of the table of equations.

/// An element of a drawing.
function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const SKETCH = { width: 460, height: 330, margin: 46, low: 120 };  // `low`: the height of a line

/// The number of an equation's term in its colour.
function termMark(i) {
  const made = element("span", "mark", String(i + 1));
  made.style.borderColor = COLOURS[i % COLOURS.length];
  return made;
}

/// Places of a drawing for points of one, two or three coordinates, and the lines of the box around them.
function sketchPlane(run) {
  const about = run.about.coordinates, { width, height, margin } = SKETCH, room = [width - 2 * margin, height - 2 * margin];
  const low = about.map((c) => c.low), extent = about.map((c) => c.high - c.low);
  if (about.length === 1)
    return { place: ([x]) => [margin + room[0] * (x - low[0]) / extent[0], height / 2], lines: [[[low[0]], [low[0] + extent[0]]]] };
  const corners = Array.from({ length: 2 ** about.length }, (_, n) => low.map((l, i) => l + ((n >> i) & 1) * extent[i]));
  const lines = corners.flatMap((p, n) => about.map((_, i) => i).filter((i) => !((n >> i) & 1)).map((i) => [p, corners[n | (1 << i)]]));
  let flat = ([x, y]) => [(x - low[0]) / extent[0], (y - low[1]) / extent[1]];
  if (about.length === 2 && about.every((c) => c.space)) flat = ([x, y]) => [x, y];  // to scale
  if (about.length === 3) {
    const longest = Math.max(...about.filter((c) => c.space).map((c) => c.high - c.low)), { right, up } = camera({ yaw: -0.9, pitch: 0.38 });
    const unit = (p) => p.map((value, i) => (value - low[i]) / (about[i].space && extent[i] > longest / 6 ? longest : extent[i]));
    flat = (p) => [dot(unit(p), right), dot(unit(p), up)];
  }
  const ends = [0, 1].map((k) => rangeOf(corners.map((p) => flat(p)[k])));
  let scale = ends.map(([from, to], k) => room[k] / (to - from));
  if (about.length === 3 || about.every((c) => c.space)) scale = [Math.min(...scale), Math.min(...scale)];
  return { lines, place: (p) => { const q = flat(p); return [width / 2 + scale[0] * (q[0] - 0.5 * (ends[0][0] + ends[0][1])), height / 2 - scale[1] * (q[1] - 0.5 * (ends[1][0] + ends[1][1]))]; } };
}

/// The k-th of `most` indices below `count`: one anywhere in each of as many equal parts, so that a grid leaves no stripes.
function anyOf(count, most, k) {
  if (most === count) return k;
  const noise = Math.sin(12.9898 * (k + 1)) * 43758.5453;
  return Math.floor(count / most * (k + noise - Math.floor(noise)));
}

/// The point of a set that is farthest from some others; from the rim of the drawing where there are none.
function farthest(places, others) {
  const far = others.length > 0 ? (p) => Math.min(...others.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1])))
                                : (p) => -Math.hypot(p[0] - SKETCH.width / 2, p[1] - SKETCH.height / 2);
  return places.reduce((best, p) => (far(p) > far(best) ? p : best));
}

function sketchView(run) {
  const names = run.coordinates;
  if (run.points.length === 0 || names.length > 3) return null;
  const { place, lines } = sketchPlane(run), { width, height } = SKETCH;
  const sets = run.terms.map((term, i) => {
    const set = run.points.find((one) => one.term.split(", ").includes(term.name));
    if (!set || set.columns[0].length === 0) return null;
    const count = set.columns[0].length, most = Math.min(count, 500);
    const places = Array.from({ length: most }, (_, k) => anyOf(count, most, k)).map((at) => place(set.columns.map((column) => column[at])));
    return { i, places, joint: term.planes > 0, inside: /^interior|^inside/.test(term.region) && !run.measured.some((data) => data.term === term.name) };
  }).filter((set) => set);
  const top = names.length === 1 ? (height - SKETCH.low) / 2 : 0;
  const picture = drawn("svg", { viewBox: `0 ${top} ${width} ${height - 2 * top}`, role: "img", "aria-label": "Sketch of the domain: where each equation holds" });
  for (const [p, q] of lines) {
    const [a, b] = [place(p), place(q)];
    picture.append(drawn("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: theme.line, "stroke-width": 0.8 }));
  }
  for (const [x, y] of (run.fields[0] && names.length === 2 && run.fields[0].outline) || [])
    picture.append(drawn("path", { d: `M${x.map((value, i) => place([value, y[i]]).map((v) => v.toFixed(1)).join(" ")).join("L")}`, fill: "none", stroke: theme.line }));
  const cuts = cutLines(run);
  for (const { line, dashed } of cuts) {
    const [a, b] = line.map(place), tick = names.length === 1 ? 9 : 0;
    picture.append(drawn("line", { x1: a[0], y1: a[1] - tick, x2: b[0], y2: b[1] + tick, stroke: theme.soft, "stroke-width": 1, ...(dashed ? { "stroke-dasharray": "5 4" } : {}) }));
  }
  const labels = axisNames(run, place), taken = labels.map((text) => [Number(text.getAttribute("x")), Number(text.getAttribute("y"))]), marks = [];
  for (const set of [...sets.filter((one) => one.inside), ...sets.filter((one) => !one.inside)]) {
    const colour = COLOURS[set.i % COLOURS.length];
    for (const [x, y] of set.joint ? [] : set.places)  // the planes themselves are drawn
      picture.append(drawn("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: set.inside ? 1.2 : 2.6, fill: colour, opacity: set.inside ? 0.35 : 0.9 }));
    // Where an equation holds all over the domain its mark keeps away from the conditions, and marks from one another.
    const conditions = sets.filter((one) => !one.inside).flatMap((one) => one.places.filter((_, k) => one.places.length < 100 || k % 5 === 0));
    const spot = farthest(set.places, set.inside ? [...conditions, ...taken] : taken);
    taken.push(spot);
    marks.push(drawn("circle", { cx: spot[0], cy: spot[1], r: 11, fill: theme.ground, stroke: colour, "stroke-width": 2 }),
               drawn("text", { x: spot[0], y: spot[1] + 4.5, "text-anchor": "middle", "font-size": 13, "font-weight": 600, fill: theme.ink }, String(set.i + 1)));
  }
  picture.append(...marks, ...labels);
  const words = [cuts.some((cut) => !cut.dashed) ? `lines: ${run.about.parts}` : "", cuts.some((cut) => cut.dashed) ? `dashed: ${run.about.windows} windows of time` : ""].filter((text) => text);
  return element("div", "plot sketch", element("h3", "", `Where each equation holds${run.about.windows > 1 ? " in the last window" : ""}`), picture,
                 words.length > 0 ? element("p", "soft", words.join("; ")) : null);
}

const MOST_CUTS = 100, MOST_ENDS = 12;  // planes and ends of windows that can be told apart

/// The lines where planes between parts, and dashed the ends of windows of time, meet the sides of the box: of a line their ticks.
function cutLines(run) {
  const about = run.about.coordinates;
  const time = about.findIndex((c) => c.time), windows = run.about.windows;
  const ends = (c) => Array.from({ length: windows - 1 }, (_, k) => c.low + (k + 1) / windows * (c.high - c.low));
  const cuts = about.flatMap((c, i) => [...(run.about.planes[i] || []).map((at) => ({ i, at, dashed: false })),
                                        ...(i === time && windows > 1 && windows <= MOST_ENDS ? ends(c).map((at) => ({ i, at, dashed: true })) : [])]);
  if (cuts.length > MOST_CUTS) return cuts.filter((cut) => cut.dashed).flatMap(sidesOf);
  return cuts.flatMap(sidesOf);

  function sidesOf({ i, at, dashed }) {
    const others = about.map((_, k) => k).filter((k) => k !== i);
    const point = (high) => about.map((c, k) => (k === i ? at : high.includes(k) ? c.high : c.low));
    const [a, b] = others;  // the sides of a rectangle in three coordinates
    const sides = a === undefined ? [[[], []]] : b === undefined ? [[[], [a]]] : [[[], [a]], [[], [b]], [[a], [a, b]], [[b], [a, b]]];
    return sides.map(([from, to]) => ({ line: [point(from), point(to)], dashed }));
  }
}

/// The names of the coordinates and their ends, below and at the left.
function axisNames(run, place) {
  const about = run.about.coordinates, low = about.map((c) => c.low), { width, height } = SKETCH, centre = [width / 2, height / 2];
  return about.flatMap((coordinate, i) => {
    const other = low.map((value, k) => (about.length === 3 && i !== 1 && k === 1 ? value : about.length === 3 && i === 1 && k === 0 ? about[0].high : value));
    const at = (share) => { const p = [...other]; p[i] = coordinate.low + share * (coordinate.high - coordinate.low); return place(p); };
    const middle = at(0.5), away = about.length === 1 ? [0, 1] : [middle[0] - centre[0], middle[1] - centre[1]], size = Math.hypot(...away) || 1;
    const text = ([x, y], words, by, weight) => drawn("text", { x: x + by * away[0] / size, y: y + by * away[1] / size + 4, "text-anchor": "middle", "font-size": weight > 400 ? 14 : 11, "font-weight": weight, fill: theme.ink }, words);
    return [text(middle, withUnit(run, shortened(coordinate.name, 12)), 26, 600), text(at(0), number(coordinate.low, 4), 18, 400), text(at(1), number(coordinate.high, 4), 18, 400)];
  });
}
