// Where the equations fail: the residual of every term at points that training has not seen.

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
  const place = (i) => names.map((name, c) => `${plain(name)} = ${number(set.columns[c][i], 4)}`).join("<br>");
  const text = set.values.map((value, i) => `${place(i)}<br>|r| = ${number(value)}`);
  const common = { mode: "markers", type: "scatter", text, hovertemplate: "%{text}<extra></extra>", name: plain(`residual of ${set.term}`) };
  if (along.length < 2) {
    const c = along[0] ?? 0;
    const traces = [{ ...common, x: set.columns[c], y: set.values, marker: { size: 4, color: COLOURS[1], opacity: 0.8 } }];
    return plot(key, title, traces, layout(axis(plain(names[c])), valueAxis("|residual|", set.values)));
  }
  const [a, b] = along, high = Math.log10(Math.max(...positive)), low = Math.max(Math.log10(Math.min(...positive)), high - 4);
  const logs = set.values.map((value) => Math.max(low, value > 0 ? Math.log10(value) : low));
  const traces = [{ ...common, x: set.columns[a], y: set.columns[b], customdata: set.values,
                    marker: { size: 6, symbol: "square", color: logs, cmin: low, cmax: Math.max(high, low + 1e-3), colorscale: "Cividis",
                              colorbar: { thickness: 12, outlinewidth: 0, xpad: 4, title: { text: "|r|", side: "right" }, ...decadeTicks(low, high) } } }];
  const lay = layout(axis(plain(names[a])), axis(plain(names[b])));
  lay.margin = { ...lay.margin, r: 96 };
  const isTime = (c) => run.about.coordinates[c].time;
  const extent = (c) => { const [from, to] = rangeOf(set.columns[c]); return to - from; };
  const seen = along.length > 2 ? ` (seen along ${along.slice(2).map((c) => shortened(names[c], 20)).join(", ")})` : "";
  return plot(key, title + seen, traces, isTime(a) || isTime(b) ? lay : equalAspect(lay, extent(a) / extent(b)), "tall");
}

function failureSection(run, index) {
  const plots = hasPlots ? run.residual_points.map((set, i) => failurePlot(run, set, `residual-${index}-${i}`)).filter((p) => p) : [];
  return [
    section("residuals", run.label ? `Where it fails: ${run.label}` : "Where it fails", index), termTable(run),
    plots.length > 0 ? element("p", "soft", "The size of what is left of each equation at points that training has not seen, on a logarithmic scale.") : null,
    element("div", "plots", plots),
  ];
}
