// Vectors of two fields: a map of their size with streamlines over it.

const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/// Pairs of fields that are the components of a vector in the plane of the pictures: those that a function of the file joins
/// (velocity = "[u, v]"), and u with v where an equation carries something along with them or takes their divergence. Fields of
/// these names alone may be anything: two concentrations, the parts of a complex number.
function vectorPairs(run) {
  const [x, y] = run.about.coordinates.filter((c) => c.space).map((c) => escaped(c.name));
  if (!y) return [];
  const has = (name) => run.fields.some((field) => field.name === name);
  const pairs = [];
  const add = (name, a, b) => { if (has(a) && has(b) && !pairs.some((p) => p.a === a && p.b === b)) pairs.push({ name, a, b }); };
  const texts = run.terms.flatMap((term) => term.equations).map((text) => text.replace(/\s/g, ""));
  for (const [key, value] of settingsOf(run.problem)) {
    const text = value.replace(/["'\s]/g, ""), parts = text.match(/^\[([A-Za-z]\w*),([A-Za-z]\w*)(,[A-Za-z]\w*)?\]$/);
    if (key.startsWith("functions.") && parts) add(key.slice("functions.".length), parts[1], parts[2]);
  }
  const carried = new RegExp(`\\bu\\*\\w+_${x}\\b`), across = new RegExp(`\\bv\\*\\w+_${y}\\b`);
  const divergence = new RegExp(`\\bu_${x}\\+v_${y}\\b|\\[u,v[,\\]]`);
  if (texts.some((text) => (carried.test(text) && across.test(text)) || divergence.test(text))) add("", "u", "v");
  return pairs;
}

/// Streamlines of a vector field on a grid: lines that keep their distance, by a mask of cells that only one line may enter.
/// Returns curves [[x, …], [y, …]] in the units of the axes.
function streamlines(xs, ys, u, v) {
  const width = xs.length, height = ys.length, dx = xs[1] - xs[0], dy = ys[1] - ys[0];
  const side = Math.max(dx * (width - 1), dy * (height - 1)), cells = 28, cell = side / cells, step = cell / 6;
  const columns = Math.max(1, Math.round(dx * (width - 1) / cell)), rows = Math.max(1, Math.round(dy * (height - 1) / cell));
  let most = 0;
  for (let i = 0; i < u.length; ++i) most = Math.max(most, Math.hypot(u[i], v[i]) || 0);
  if (!(most > 0)) return [];
  // The direction at a place, of length 1; null outside, where nothing is known and where nothing moves.
  const direction = (x, y) => {
    const gx = (x - xs[0]) / dx, gy = (y - ys[0]) / dy, i = Math.floor(gx), j = Math.floor(gy);
    if (!(i >= 0 && j >= 0 && i < width - 1 && j < height - 1)) return null;
    const a = gx - i, b = gy - j, at = j * width + i;
    const mix = (f) => (1 - b) * ((1 - a) * f[at] + a * f[at + 1]) + b * ((1 - a) * f[at + width] + a * f[at + width + 1]);
    const p = mix(u), q = mix(v), size = Math.hypot(p, q);
    return size > 1e-3 * most ? [p / size, q / size] : null;
  };
  const owner = new Int32Array(columns * rows).fill(-1);
  const cellOf = (x, y) => Math.min(rows - 1, Math.floor((y - ys[0]) / cell)) * columns + Math.min(columns - 1, Math.floor((x - xs[0]) / cell));
  // From a place along the field (sign 1) or against it, by the midpoint rule, until another line is met.
  const walk = (x, y, sign, line, visited) => {
    const points = [];
    for (let n = 0; n < 600; ++n) {
      const first = direction(x, y);
      const middle = first && direction(x + 0.5 * sign * step * first[0], y + 0.5 * sign * step * first[1]);
      if (!middle) break;
      x += sign * step * middle[0];
      y += sign * step * middle[1];
      if (!direction(x, y)) break;
      const now = cellOf(x, y);
      if (owner[now] >= 0 && owner[now] !== line) break;
      if (owner[now] < 0) { owner[now] = line; visited.push(now); }
      else if (n > 60 && visited.length > 0 && now === visited[0]) { points.push([x, y]); break; }  // a closed line, once around
      points.push([x, y]);
    }
    return points;
  };
  const lines = [];
  const order = [...owner.keys()].sort((a, b) => (a * 7919) % owner.length - (b * 7919) % owner.length);  // seeds from all over
  for (const seed of order) {
    if (owner[seed] >= 0) continue;
    const x = xs[0] + (seed % columns + 0.5) * cell, y = ys[0] + (Math.floor(seed / columns) + 0.5) * cell;
    if (!direction(x, y)) continue;
    const line = lines.length, visited = [seed];
    owner[seed] = line;
    const points = [...walk(x, y, -1, line, visited).reverse(), [x, y], ...walk(x, y, 1, line, visited)];
    if (visited.length < 4) { for (const cellNumber of visited) owner[cellNumber] = -1; owner[seed] = -1; continue; }
    lines.push(points);
  }
  return lines.map((points) => [points.map((p) => p[0]), points.map((p) => p[1])]);
}

/// One line for all streamlines, and an arrow in the middle of each, which points away from the point before it.
function streamTraces(lines) {
  const x = [], y = [], ax = [], ay = [], sizes = [];
  for (const [px, py] of lines) {
    x.push(...px, null);
    y.push(...py, null);
    const m = Math.floor(px.length / 2);
    ax.push(px[m - 1], px[m]);
    ay.push(py[m - 1], py[m]);
    sizes.push(0, 9);
  }
  const colour = "rgba(255,255,255,0.8)", quiet = { hoverinfo: "skip", showlegend: false };
  if (x.length === 0) return [];
  return [{ x, y, mode: "lines", line: { color: colour, width: 1.1 }, ...quiet },
          { x: ax, y: ay, mode: "markers", marker: { symbol: "arrow", size: sizes, angleref: "previous", color: colour, line: { width: 0 } }, ...quiet }];
}

function vectorView(key, run, { name, a, b }) {
  const first = run.fields.find((field) => field.name === a), second = run.fields.find((field) => field.name === b);
  const space = run.about.coordinates.filter((c) => c.space).map((c) => c.name);
  const same = JSON.stringify([first.coordinates, first.axes, first.frames, first.fixed]) === JSON.stringify([second.coordinates, second.axes, second.frames, second.fixed]);
  if (!same || first.coordinates.length < 2 || first.coordinates.some((c, i) => c !== space[i])) return [];
  const u = fieldValues(first), v = fieldValues(second);
  const size = (frame) => u.prediction(frame).map((value, i) => Math.hypot(value, v.prediction(frame)[i]));
  let most = 0;
  for (let frame = 0; frame < u.frames; ++frame) most = Math.max(most, rangeOf(size(frame))[1]);
  const label = `(${shortened(a, 20)}, ${shortened(b, 20)})`, lay = mapLayout(first);
  const picture = (frame) => [...mapTraces({ ...first, contours: [] }, size(frame), u.width, [0, most], "Viridis", `|${label}|`),
                              ...streamTraces(streamlines(first.axes[0], first.axes[1], u.prediction(frame), v.prediction(frame)))];
  const show = (frame) => { redraw(key, () => picture(frame), lay); drawAll(); };
  const control = first.slider ? slider(`${key}-frames`, first.slider, unitOf(first, first.slider), first.frames, lastKnown(u.frames, u.prediction, first.slider === first.time ? u.frames - 1 : Math.floor(u.frames / 2)), show) : null;
  const title = `${name ? `${shortened(name)} = ` : ""}${label}: size and streamlines${space.length > 2 ? ` in the plane of ${first.coordinates.join(", ")}` : ""}`;
  return [control ? control.box : null, element("div", "plots", plot(key, title, () => picture(control ? control.frame : 0), lay, "tall"))];
}

const vectorViews = (run, index) => vectorPairs(run).flatMap((pair, i) => vectorView(`vectors-${index}-${i}`, run, pair));
