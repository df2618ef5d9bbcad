// Where it fails: the estimated error of every field, and the residual of every term at points that training has not seen.

/// Why there is no map of the error, field by field; [] where there is one of each.
function missingErrorMaps(run) {
  const command = `\`pecann estimate ${run.folder}\``, estimate = run.estimate;
  if (!estimate) return run.progress ? [] : [`The error was not estimated, so there is no map of it: ${command} tries to make one.`];
  if (estimate.fields.length === 0) return estimate.decided ? [`No map of the error: ${estimate.decided}.`] : [];
  const reasons = new Map();  // why → fields
  for (const field of estimate.fields) {
    if (run.error_maps.some((map) => map.name === field.field)) continue;
    const why = field.trusted ? ` is kept (${field.decided}); ${command} makes one where more than its size is known`
                              : `, as its estimate is not trusted: ${field.decided}`;
    reasons.set(why, [...(reasons.get(why) || []), shortened(field.field)]);
  }
  return [...reasons].map(([why, names]) => `No map of the error of ${names.join(", ")}${why}.`);
}

/// The size of the estimated error: a curve, a map, or frames that a slider moves.
function errorMapView(run, map, key) {
  const values = fieldValues(map), sizes = (frame) => values.prediction(frame).map(Math.abs);
  const field = run.estimate.fields.find((one) => one.field === map.name);
  const place = Object.entries(map.fixed).map(([name, value]) => `${shortened(name, 20)} = ${quantity(map, name, number(value))}`).join(", ");
  const title = `Estimated |error| of ${shortened(map.name)}${place ? ` at ${place}` : ""}` +
                (field ? ` (relative l² ${number(field.low, 2)} … ${number(field.high, 2)})` : "");
  if (map.coordinates.length === 1) {
    const y = Array.from(sizes(0));
    const unit = unitOf(map, map.name), label = `estimated |error|${unit ? ` (${unit})` : ""}`;
    const trace = { x: map.axes[0], y, mode: "lines", name: plain(label), line: { color: COLOURS[2], width: 1.5 }, hovertemplate: `${hoverText(map, map.coordinates[0], map.name, "estimated |error|")}<extra></extra>` };
    return plot(key, title, [trace], layout(axis(axisName(map, map.coordinates[0])), valueAxis(plain(label), y)));
  }
  const range = [0, rangeOf(floats(map.prediction).map(Math.abs))[1]], lay = mapLayout(map);
  const picture = (frame) => mapTraces(map, sizes(frame), values.width, range, "Cividis", "|error|");
  if (!map.slider) return plot(key, title, () => picture(0), lay, "tall");
  const show = (frame) => { redraw(key, () => picture(frame), lay); drawAll(); };
  const control = slider(`${key}-frames`, map.slider, unitOf(map, map.slider), map.frames, map.slider === map.time ? values.frames - 1 : Math.floor(values.frames / 2), show);
  return element("div", "plot", element("h3", "", title), control.box, plot(key, "", () => picture(control.frame), lay, "tall"));
}

/// Ticks at whole decades between two logarithms.
function decadeTicks(low, high) {
  const step = Math.max(1, Math.ceil((high - low) / 5)), places = [];
  for (let decade = Math.ceil(low); decade <= high; decade += step) places.push(decade);
  return { tickvals: places, ticktext: places.map((decade) => `10<sup>${decade}</sup>`.replace("-", "−")) };
}

/// Coordinates that are not the same at all points.
function varying(columns) {
  return columns.map((_, c) => c).filter((c) => columns[c].some((value) => value !== columns[c][0]));
}

function failurePlot(run, set, key) {
  const positive = set.values.filter((value) => value > 0);
  if (positive.length < 4) return null;  // the table says as much
  const along = varying(set.columns), names = run.coordinates;
  const title = `|residual| of ${shortened(set.term)}`;
  if (along.length < 2) {
    const c = along[0] ?? 0, text = set.values.map((value, i) => `${placeOf(run, set.columns, i)}<br>|r| = ${number(value)}`);
    const traces = [{ mode: "markers", type: "scatter", text, hovertemplate: "%{text}<extra></extra>", name: plain(`residual of ${set.term}`), x: set.columns[c], y: set.values, marker: { size: 4, color: COLOURS[1], opacity: 0.8 } }];
    return plot(key, title, traces, layout(axis(axisName(run, names[c])), valueAxis("|residual|", set.values)));
  }
  const high = Math.log10(Math.max(...positive)), low = Math.max(Math.log10(Math.min(...positive)), high - 4);
  const logs = set.values.map((value) => Math.max(low, value > 0 ? Math.log10(value) : low));
  return scatterMap(run, { columns: set.columns, places: along, key, title, name: `residual of ${set.term}`, values: set.values, words: (i) => `|r| = ${number(set.values[i])}`,
                           marker: { symbol: "square", color: logs, cmin: low, cmax: Math.max(high, low + 1e-3), colorscale: "Cividis",
                                     colorbar: { ...BAR, title: { text: "|r|", side: "right" }, ...decadeTicks(low, high) } } });
}

/// Points in the colours of their numbers over the first two coordinates that vary, to scale where these are lengths.
function scatterMap(run, { columns, places, key, title, name, values, words, marker }) {
  const [a, b] = places, names = run.coordinates;
  const text = values.map((_, i) => `${placeOf(run, columns, i)}<br>${words(i)}`);
  const traces = [{ mode: "markers", type: "scatter", text, hovertemplate: "%{text}<extra></extra>", name: plain(name), x: columns[a], y: columns[b], customdata: values,
                    marker: { size: 6, ...marker } }];
  const lay = layout(axis(axisName(run, names[a])), axis(axisName(run, names[b])));
  lay.margin = { ...lay.margin, r: BAR_ROOM };
  const isSpace = (c) => run.about.coordinates[c].space;
  const extent = (c) => { const [from, to] = rangeOf(columns[c]); return to - from; };
  const seen = places.length > 2 ? ` (seen along ${places.slice(2).map((c) => shortened(names[c], 20)).join(", ")})` : "";
  return plot(key, title + seen, traces, isSpace(a) && isSpace(b) ? equalAspect(lay, extent(a) / extent(b)) : lay, "tall");
}

/// The coordinates of a point, one below the other.
const placeOf = (run, columns, i) => run.coordinates.map((name, c) => `${plain(name)} = ${plain(quantity(run, name, number(columns[c][i], 4)))}`).join("<br>");

function failureSection(run, index) {
  const plots = hasPlots ? run.residual_points.map((set, i) => failurePlot(run, set, `residual-${index}-${i}`)).filter((p) => p) : [];
  const errors = hasPlots ? run.error_maps.map((map, i) => errorMapView(run, map, `estimated-${index}-${i}`)) : [];
  return [
    section("residuals", run.label ? `Where it fails: ${run.label}` : "Where it fails", index),
    ...missingErrorMaps(run).map((text) => element("p", "soft", withCode(text))),
    errors.length > 0 ? element("p", "soft", "How far this solution is from that of the equations, estimated without knowing that one.") : null,
    element("div", "plots", errors), termTable(run),
    plots.length > 0 ? element("p", "soft", "The size of what is left of each equation at points that training has not seen, on a logarithmic scale.") : null,
    element("div", "plots", plots),
    hasPlots && run.multipliers.some(hasSpread) ? element("p", "soft", "Multipliers of terms that have one for every point: they grow where an equation is hard to meet.") : null,
    ...run.multipliers.filter((one) => !hasSpread(one)).map((one) => element("p", "soft", `The multipliers of all ${number(one.counts[0])} points of ${shortened(one.name)} are ${number(one.centres[0])}.`)),
    hasPlots ? element("div", "plots", multiplierPlots(run, index)) : null,
  ];
}
