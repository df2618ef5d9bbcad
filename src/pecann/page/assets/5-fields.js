// The solution: curves of one coordinate, maps of two (prediction, reference, absolute error), frames of a third with a slider.

/// The numbers of a field: rows(frame) as Plotly wants a map, for prediction, reference and absolute error.
function fieldValues(field) {
  const prediction = floats(field.prediction), error = floats(field.error);
  const width = field.axes[0].length, height = field.coordinates.length > 1 ? field.axes[1].length : 1;
  const size = width * height;
  const frames = Math.max(1, field.frames.length);
  // An exact solution that holds at the last time only comes with one frame.
  const errorFrame = (frame) => (error.length === 0 ? -1 : error.length === size ? (frame === frames - 1 ? 0 : -1) : frame);
  const part = (values, frame) => values.subarray(frame * size, (frame + 1) * size);
  return {
    frames, width, height,
    hasReference: error.some((value) => Number.isFinite(value)),  // times that are not trained yet have none
    lastOnly: frames > 1 && error.length === size,
    prediction: (frame) => part(prediction, frame),
    error: (frame) => (errorFrame(frame) < 0 ? null : part(error, errorFrame(frame))),
    reference: (frame) => {
      const e = errorFrame(frame) < 0 ? null : part(error, errorFrame(frame));
      return e && part(prediction, frame).map((value, i) => value - e[i]);
    },
    // One scale for the prediction and what it should be.
    range: rangeOf(error.length === prediction.length ? [...prediction, ...prediction.map((value, i) => value - error[i])] : prediction),
    errorRange: [0, rangeOf(error.map(Math.abs))[1]],
  };
}

function rowsOf(values, width) {
  const rows = [];
  for (let i = 0; i < values.length; i += width) rows.push(Array.from(values.subarray(i, i + width)));
  return rows;
}

/// Room beside a map for any colour bar with its numbers and its title, so that maps of a row have the same size.
const BAR_ROOM = 112;
const axisName = (owner, name) => plain(withUnit(owner, name));

function mapLayout(field) {
  const [x, y] = field.axes;
  const ratio = (x[x.length - 1] - x[0]) / (y[y.length - 1] - y[0]);
  const lay = layout(axis(axisName(field, field.coordinates[0]), "linear", { range: [x[0], x[x.length - 1]] }),
                     axis(axisName(field, field.coordinates[1]), "linear", { range: [y[0], y[y.length - 1]] }));
  lay.margin = { ...lay.margin, r: BAR_ROOM };
  return field.space ? equalAspect(lay, ratio) : lay;
}

const SQUARE = 246;  // pixels of a side of a square map: three such with their bars fit into the width of the page

/// The same length for the same distance on both axes, in an area that such a picture fills, so that the colour bar stands beside it. Long
/// ones (a channel) take the whole width of the page.
function equalAspect(lay, ratio) {
  if (!(ratio > 0.2 && ratio < 15)) return lay;
  Object.assign(lay.xaxis, { constrain: "domain" });
  Object.assign(lay.yaxis, { constrain: "domain", scaleanchor: "x" });
  const { l, r, t, b } = lay.margin, height = ratio > 4 ? 900 / ratio : Math.max(90, Math.min(SQUARE, SQUARE / ratio));
  lay.pecannHeight = Math.round(height + t + b);
  lay.pecannWidth = Math.round(ratio * height + l + r + 24);
  return lay;
}

/// `label` is what the colours are: the field's name, or another with the field's unit.
function mapTraces(field, values, width, range, colours, label = field.name) {
  const unit = unitOf(field, field.name), [x, y] = field.coordinates;
  const hover = [[x, "x", unitOf(field, x)], [y, "y", unitOf(field, y)], [label, "z", unit]].map(([name, key, of]) => `${plain(name)} = %{${key}:.4~g}${of ? ` ${plain(of)}` : ""}`);
  const title = plain(unit ? `${shortened(label)} (${unit})` : label);
  const traces = [{
    type: "heatmap", x: field.axes[0], y: field.axes[1], z: rowsOf(values, width), zmin: range[0], zmax: range[1],
    colorscale: colours, hovertemplate: `${hover.join("<br>")}<extra></extra>`, name: title,
    colorbar: { ...BAR, ...roundTicks(range), title: { text: title, side: "right" } },
  }];
  for (const [x, y] of field.outline)
    traces.push({ x, y, mode: "lines", line: { color: theme.ink, width: 1.2 }, hoverinfo: "skip", showlegend: false });
  if (colours === "Viridis")
    for (const level of field.contours) traces.push(isoLine(field, traces[0].z, level, { color: "#D55E00", width: 1.5 }));
  return traces;
}

function isoLine(field, z, level, line) {
  return { type: "contour", x: field.axes[0], y: field.axes[1], z, showscale: false, hoverinfo: "skip", showlegend: false,
           contours: { type: "constraint", operation: "=", value: level, coloring: "none" }, line };
}

const linked = new Map();  // coordinate and number of its values → sliders that move together, by key
const plotState = new Map();  // key of a slider → its place; kept over updates

/// A slider over frames with a play button; calls show(frame) for every change.
function slider(key, name, unit, values, start, show) {
  const input = Object.assign(element("input"), { type: "range", min: 0, max: values.length - 1, step: 1 });
  input.value = plotState.has(key) ? Math.min(plotState.get(key), values.length - 1) : start;
  input.setAttribute("aria-label", name);
  input.dataset.slider = key;
  const output = element("output", "");
  const button = element("button", "", "play");
  const place = (frame) => {
    input.value = frame;
    plotState.set(key, Number(frame));
    output.textContent = `${shortened(name, 20)} = ${number(values[frame], 4)}${unit ? ` ${unit}` : ""}`;
  };
  const group = `${name} ${values.length} ${values[0]} ${values[values.length - 1]}`;
  if (!linked.has(group)) linked.set(group, new Map());
  linked.get(group).set(key, (frame) => { place(frame); show(frame); });
  const move = (frame) => { for (const follow of linked.get(group).values()) follow(frame); };
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "play"; };
  input.addEventListener("input", () => move(Number(input.value)));
  button.addEventListener("click", () => {
    if (timer) { stop(); return; }
    button.textContent = "pause";
    timer = setInterval(() => {
      if (!button.isConnected) { stop(); return; }
      const next = (Number(input.value) + 1) % values.length;
      move(next);
    }, 180);
  });
  place(Number(input.value));
  return { box: element("div", "slide", button, input, output), frame: Number(input.value) };
}

/// Prediction, reference and absolute error; with frames their pictures follow the slider.
function mapView(key, field, values) {
  const lay = mapLayout(field), name = shortened(field.name), last = values.frames - 1;
  const at = (frame) => (field.slider ? ` at ${shortened(field.slider, 20)} = ${quantity(field, field.slider, number(field.frames[frame]))}` : "");
  const picture = (part, frame) => {
    const known = values.error(frame);
    if (part === "prediction") return mapTraces(field, values.prediction(frame), values.width, values.range, "Viridis");
    if (part === "reference") return mapTraces(field, values.reference(frame), values.width, values.range, "Viridis");
    return mapTraces(field, known.map(Math.abs), values.width, values.errorRange, "Cividis", "|error|");
  };
  const parts = ["prediction", ...(values.hasReference ? ["reference", "error"] : [])];
  const moving = values.lastOnly ? ["prediction"] : parts;
  const show = (frame) => { for (const part of moving) redraw(`${key}-${part}`, () => picture(part, frame), lay); drawAll(); };
  const control = field.slider ? slider(`${key}-frames`, field.slider, unitOf(field, field.slider), field.frames, lastKnown(values.frames, values.prediction, field.slider === field.time ? last : Math.floor(values.frames / 2)), show) : null;
  const frame = control ? control.frame : 0;
  const titles = { prediction: `Prediction of ${name}`, reference: `Exact ${name}`, error: `Absolute error of ${name}` };
  const maps = parts.map((part) => plot(`${key}-${part}`, titles[part] + (moving.includes(part) ? "" : at(last)),
                                        () => picture(part, moving.includes(part) ? frame : last), lay, "tall"));
  return [control ? control.box : null, element("div", "plots", maps)];
}
