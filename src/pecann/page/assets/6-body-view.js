// The controls of a body: fields, parts, cuts, times, turning by pointer and keys, downloads.

/// The numbers of a body, and how large they are on the surface and in the pictures of the same field.
function bodyValues(run, body) {
  const vertices = floats(body.vertices), size = body.nodes[0] * body.nodes[1] * body.nodes[2];
  const fields = body.fields.map((field) => {
    const shown = run.fields.find((one) => one.name === field.name), pictures = shown ? fieldValues(shown) : null;
    const both = (a, b) => (b ? rangeOf([...a, ...b]) : a);
    const surface = floats(field.surface), error = floats(field.surface_error).map(Math.abs);
    const made = { name: field.name, prediction: { surface, volume: floats(field.volume), range: both(rangeOf(surface), pictures && pictures.range) } };
    if (error.length > 0)
      made.error = { surface: error, volume: floats(field.volume_error).map(Math.abs), range: [0, both(rangeOf(error), pictures && pictures.hasReference && pictures.errorRange)[1]] };
    return made;
  });
  return { ...body, vertices, facets: floats(body.facets), size, fields };
}

function choice(label, options, value, change) {
  const select = element("select", "", options.map(([key, text]) => Object.assign(element("option", "", text), { value: key, selected: String(key) === String(value) })));
  select.setAttribute("aria-label", label);
  select.addEventListener("change", () => change(select.value));
  return element("label", "", `${label} `, select);
}

const bodyWatcher = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) if (isIntersecting) canvases.get(target)?.(); },
                                             { rootMargin: "200px" });
const bodySizes = new ResizeObserver((entries) => { for (const { target } of entries) if (target.dataset.painted) canvases.get(target)?.(); });

function bodyView(run, body, key) {
  const state = bodyStates.get(key) || { yaw: -0.62, pitch: 0.42, zoom: 1, field: 0, part: "prediction", frame: body.times.length - 1, axis: 0, place: 0.5 };
  bodyStates.set(key, state);
  const canvas = element("canvas", "body");
  Object.assign(canvas.dataset, { body: key, title: "body in space" });
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "figure");
  canvas.setAttribute("aria-label", `The solution on the surface and on a cut of the domain; arrow keys turn it, + and − change its size`);
  const reading = element("output", "soft", "Drag or use the arrow keys to turn it.");
  let values = null, scene = null, ratio = 1;
  const compose = () => {
    values ||= bodyValues(run, body);
    scene = bodyScene(values, state, canvas.clientWidth, canvas.clientHeight);
    return boxFrame(values, scene.project);
  };
  const paint = () => {
    if (canvas.clientWidth === 0) return;
    const frame = compose();
    ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.round(canvas.clientWidth * ratio), height: Math.round(canvas.clientHeight * ratio) });
    const ctx = canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintScene(ctx, scene, frame);
    canvas.dataset.painted = "yes";
  };
  let asked = false;
  const repaint = () => { if (!asked) requestAnimationFrame(() => { asked = false; paint(); }); asked = true; };
  canvases.set(canvas, paint);
  bodyWatcher.observe(canvas);
  bodySizes.observe(canvas);

  const turn = (dx, dy) => { state.yaw -= dx; state.pitch = Math.max(-1.57, Math.min(1.57, state.pitch + dy)); repaint(); };
  let grip = null;
  canvas.addEventListener("pointerdown", (event) => { grip = [event.offsetX, event.offsetY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointerup", () => { grip = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (grip) { turn(0.01 * (event.offsetX - grip[0]), 0.01 * (event.offsetY - grip[1])); grip = [event.offsetX, event.offsetY]; }
    else if (scene) reading.textContent = readScene(canvas.getContext("2d"), scene, values, event.offsetX, event.offsetY, ratio) || "Drag or use the arrow keys to turn it.";
  });
  const keys = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  canvas.addEventListener("keydown", (event) => {
    const zoom = { "+": 1.15, "-": 1 / 1.15 }[event.key];
    if (!keys[event.key] && !zoom) return;
    event.preventDefault();
    if (zoom) { state.zoom *= zoom; repaint(); } else turn(...keys[event.key]);
  });

  const cut = Object.assign(element("input"), { type: "range", min: 0.02, max: 0.98, step: 0.02, value: state.place, disabled: state.axis < 0 });
  cut.dataset.slider = `${key}-cut`;
  const where = element("output", "");
  const tell = () => { const a = state.axis; where.textContent = a < 0 ? "" : `${shortened(body.coordinates[a], 12)} = ${quantity(body, body.coordinates[a], number(body.low[a] + state.place * (body.high[a] - body.low[a])))}`; };
  cut.setAttribute("aria-label", "place of the cut");
  cut.addEventListener("input", () => { state.place = Number(cut.value); tell(); repaint(); });
  tell();
  const named = () => `${pageName}-${body.fields[state.field].name}-body`;
  const button = (text, title, click) => { const made = Object.assign(element("button", "", text), { title }); made.addEventListener("click", click); return made; };
  const csv = () => {
    compose();
    const field = values.fields[state.field], count = values.vertices.length / 3, begin = state.frame * count;
    const rows = Array.from({ length: count }, (_, v) => [...values.vertices.subarray(3 * v, 3 * v + 3), field.prediction.surface[begin + v], ...(field.error ? [field.error.surface[begin + v]] : [])].join(","));
    return [[...body.coordinates, field.name].map((name) => withUnit(body, name)).concat(field.error ? ["|error|"] : []).join(","), ...rows].join("\n") + "\n";
  };
  const controls = element("div", "controls",
    body.fields.length > 1 ? choice("field", body.fields.map((field, i) => [i, shortened(field.name, 30)]), state.field, (value) => {
      state.field = Number(value);
      if (!body.fields[state.field].surface_error) state.part = "prediction";
      repaint();
    }) : null,
    body.fields.some((field) => field.surface_error) ? choice("shows", [["prediction", "prediction"], ["error", "absolute error"]], state.part, (value) => {
      state.part = body.fields[state.field].surface_error ? value : "prediction";
      repaint();
    }) : null,
    choice("cut", [[-1, "none"], ...body.coordinates.map((name, i) => [i, `across ${shortened(name, 12)}`])], state.axis, (value) => {
      state.axis = Number(value);
      cut.disabled = state.axis < 0;
      tell();
      repaint();
    }), element("span", "slide", cut, where));
  const time = body.times.length > 1 ? slider(`${key}-time`, body.time, unitOf(body, body.time), body.times, state.frame, (frame) => { state.frame = frame; repaint(); }) : null;
  if (time) state.frame = time.frame;
  const downloads = element("div", "controls", button("PNG", "Download the picture as PNG", () => canvas.toBlob((blob) => download(`${named()}.png`, blob, "image/png"))),
                            button("SVG", "Download the picture as SVG", () => { const frame = compose(); download(`${named()}.svg`, sceneSvg(scene, frame), "image/svg+xml"); }),
                            button("CSV", "Download the values on the surface as CSV", () => download(`${named()}.csv`, csv(), "text/csv")), reading);
  return element("div", "plot solid", element("h3", "", `${body.fields.length > 1 ? "The fields" : shortened(body.fields[0].name)} on the surface and on a cut`),
                 controls, time ? time.box : null, canvas, downloads);
}
