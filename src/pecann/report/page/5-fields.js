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
    hasReference: error.length > 0,
    lastOnly: frames > 1 && error.length === size,
    prediction: (frame) => part(prediction, frame),
    error: (frame) => (errorFrame(frame) < 0 ? null : part(error, errorFrame(frame))),
    reference: (frame) => {
      const e = errorFrame(frame) < 0 ? null : part(error, errorFrame(frame));
      return e && part(prediction, frame).map((value, i) => value - e[i]);
    },
    range: rangeOf(prediction),
    errorRange: rangeOf(error.map(Math.abs)),
  };
}

function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high > low ? high : low + 1e-12 + Math.abs(low) * 1e-6] : [0, 1];
}

function rowsOf(values, width) {
  const rows = [];
  for (let i = 0; i < values.length; i += width) rows.push(Array.from(values.subarray(i, i + width)));
  return rows;
}

function mapLayout(field) {
  const [x, y] = field.axes;
  const ratio = (x[x.length - 1] - x[0]) / (y[y.length - 1] - y[0]);
  const space = !field.coordinates.includes(field.time);
  const anchor = space && ratio > 0.3 && ratio < 3 ? { scaleanchor: "x", constrain: "domain" } : {};
  return layout(axis(plain(field.coordinates[0]), "linear", space ? { constrain: "domain" } : {}),
                axis(plain(field.coordinates[1]), "linear", anchor));
}

function mapTraces(field, values, width, range, colours, unit) {
  const traces = [{
    type: "heatmap", x: field.axes[0], y: field.axes[1], z: rowsOf(values, width), zmin: range[0], zmax: range[1],
    colorscale: colours, hovertemplate: `%{x:.4~g}, %{y:.4~g}: %{z:.4~g}<extra></extra>`,
    colorbar: { thickness: 12, outlinewidth: 0, tickformat: ".3~g", exponentformat: "power", title: { text: unit, side: "right" } },
  }];
  if (field.interface && colours === "Viridis")
    traces.push({ type: "contour", x: field.axes[0], y: field.axes[1], z: rowsOf(values, width), showscale: false, hoverinfo: "skip",
                  contours: { type: "constraint", operation: "=", value: 0.5, coloring: "none" }, line: { color: "#D55E00", width: 2 } });
  return traces;
}

const plotState = new Map();  // key of a slider → its place; kept over updates

/// A slider over frames with a play button; calls show(frame) for every change.
function slider(key, name, values, start, show) {
  const input = Object.assign(element("input"), { type: "range", min: 0, max: values.length - 1, step: 1 });
  input.value = plotState.has(key) ? Math.min(plotState.get(key), values.length - 1) : start;
  input.setAttribute("aria-label", name);
  input.dataset.slider = key;
  const output = element("output", "");
  const button = element("button", "", "play");
  const place = (frame) => {
    input.value = frame;
    plotState.set(key, Number(frame));
    output.textContent = `${shortened(name, 20)} = ${number(values[frame], 4)}`;
  };
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "play"; };
  input.addEventListener("input", () => { place(Number(input.value)); show(Number(input.value)); });
  button.addEventListener("click", () => {
    if (timer) { stop(); return; }
    button.textContent = "pause";
    timer = setInterval(() => {
      if (!button.isConnected) { stop(); return; }
      const next = (Number(input.value) + 1) % values.length;
      place(next);
      show(next);
    }, 180);
  });
  place(Number(input.value));
  return { box: element("div", "slide", button, input, output), frame: Number(input.value) };
}

function curveView(key, field, values) {
  const x = field.axes[0];
  const predicted = { x, y: Array.from(values.prediction(0)), mode: "lines", name: "prediction", line: { color: COLOURS[0], width: 2 } };
  const traces = [predicted];
  const plots = [];
  if (values.hasReference) {
    traces.push({ x, y: Array.from(values.reference(0)), mode: "lines", name: "exact", line: { color: COLOURS[1], width: 2, dash: "dash" } });
    const error = { x, y: Array.from(values.error(0), Math.abs), mode: "lines", line: { color: COLOURS[2], width: 1.5 } };
    plots.push(plot(`${key}-error`, `Absolute error of ${shortened(field.name)}`, [error],
                    layout(axis(plain(field.coordinates[0])), axis("|prediction − exact|", "log"))));
  }
  plots.unshift(plot(`${key}-curve`, shortened(field.name), traces,
                     layout(axis(plain(field.coordinates[0])), axis(plain(field.name)), { showlegend: true })));
  return [element("div", "plots", plots)];
}

/// Profiles of a map over space and time at a time that the slider chooses.
function profileView(key, field, values) {
  const [x, times] = field.axes;
  const traces = (frame) => {
    const row = (all) => Array.from(all.subarray(frame * values.width, (frame + 1) * values.width));
    const result = [{ x, y: row(values.prediction(0)), mode: "lines", name: "prediction", line: { color: COLOURS[0], width: 2 } }];
    if (values.hasReference)
      result.push({ x, y: row(values.reference(0)), mode: "lines", name: "exact", line: { color: COLOURS[1], width: 2, dash: "dash" } });
    return result;
  };
  const [low, high] = values.range, room = 0.05 * (high - low);
  const lay = layout(axis(plain(field.coordinates[0])), axis(plain(field.name), "linear", { range: [low - room, high + room] }),
                     { showlegend: true });
  const show = (frame) => { redraw(`${key}-profile`, traces(frame), lay); drawAll(); };
  const control = slider(`${key}-profile`, field.coordinates[1], times, Math.floor(times.length / 2), show);
  const five = [0, 0.25, 0.5, 0.75, 1].map((share, i) => {
    const frame = Math.round(share * (times.length - 1));
    const [predicted, exact] = traces(frame);
    const name = plain(`${field.coordinates[1]} = ${number(times[frame])}`);
    const lines = [{ ...predicted, name, line: { color: COLOURS[i], width: 2 } }];
    if (exact) lines.push({ ...exact, name, showlegend: false, line: { color: COLOURS[i], width: 1.5, dash: "dash" } });
    return lines;
  }).flat();
  return [element("div", "plots",
                  element("div", "plot", element("h3", "", `Profile of ${shortened(field.name)}`), control.box,
                          plot(`${key}-profile`, "", traces(control.frame), lay)),
                  plot(`${key}-profiles`, `Profiles at five times${values.hasReference ? " (exact: dashed)" : ""}`, five, lay))];
}

/// Prediction, reference and absolute error; with frames their pictures follow the slider.
function mapView(key, field, values) {
  const lay = mapLayout(field), unit = plain(field.name), last = values.frames - 1;
  const at = (frame) => (field.slider ? ` at ${shortened(field.slider, 20)} = ${number(field.frames[frame])}` : "");
  const picture = (part, frame) => {
    const known = values.error(frame);
    if (part === "prediction") return mapTraces(field, values.prediction(frame), values.width, values.range, "Viridis", unit);
    if (part === "reference") return mapTraces(field, values.reference(frame), values.width, values.range, "Viridis", unit);
    return mapTraces(field, known.map(Math.abs), values.width, values.errorRange, "Cividis", "|error|");
  };
  const parts = ["prediction", ...(values.hasReference ? ["reference", "error"] : [])];
  const moving = values.lastOnly ? ["prediction"] : parts;
  const show = (frame) => { for (const part of moving) redraw(`${key}-${part}`, picture(part, frame), lay); drawAll(); };
  const control = field.slider ? slider(`${key}-frames`, field.slider, field.frames, last, show) : null;
  const frame = control ? control.frame : 0;
  const titles = { prediction: `Prediction of ${shortened(field.name)}`, reference: "Exact", error: "Absolute error" };
  const maps = parts.map((part) => plot(`${key}-${part}`, titles[part] + (moving.includes(part) ? "" : at(last)),
                                        picture(part, moving.includes(part) ? frame : last), lay, "tall"));
  return [control ? control.box : null, element("div", "plots", maps)];
}

/// Five pictures through time, as papers show them.
function snapshotView(key, field, values) {
  const lay = { ...mapLayout(field), margin: { l: 34, r: 6, t: 4, b: 30 } };
  const pictures = [0, 0.25, 0.5, 0.75, 1].map((share, i) => {
    const frame = Math.round(share * (values.frames - 1));
    const traces = mapTraces(field, values.prediction(frame), values.width, values.range, "Viridis", "");
    traces[0].showscale = false;
    return plot(`${key}-snapshot-${i}`, `${shortened(field.slider, 20)} = ${number(field.frames[frame])}`, traces, lay, "low");
  });
  return [element("h3", "", `Snapshots of ${shortened(field.name)}${field.interface ? " (line: level ½)" : ""}`),
          element("div", "plots small", pictures)];
}

function fieldSection(run, index) {
  const title = run.trials.length > 1 ? `Solution (trial ${run.best}, the best)` : "Solution";
  const parts = [element("h2", "", run.label ? `${title}: ${run.label}` : title)];
  if (!hasPlots) {
    parts.push(element("p", "", "`pecann predict` writes the fields as .csv, .npy or .vti for other tools."));
    return parts;
  }
  run.fields.forEach((field, f) => {
    if (field.coordinates.length === 0) return;
    const key = `field-${index}-${f}`, values = fieldValues(field);
    const fixed = Object.entries(field.fixed).map(([name, value]) => `${shortened(name, 20)} = ${number(value)}`);
    if (run.fields.length > 1 || fixed.length > 0)
      parts.push(element("p", "soft field", `Field ${shortened(field.name)}${fixed.length > 0 ? ` at ${fixed.join(", ")}` : ""}`));
    if (field.coordinates.length === 1) {
      parts.push(...curveView(key, field, values));
      return;
    }
    parts.push(...mapView(key, field, values));
    if (field.coordinates[1] === field.time) parts.push(...profileView(key, field, values));
    if (field.slider && field.slider === field.time) parts.push(...snapshotView(key, field, values));
  });
  return parts;
}
