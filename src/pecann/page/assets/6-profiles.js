// Lines through fields and pictures at chosen times: what the problem's [report] asks for, or what suits every problem.

/// A profile with its numbers; the line of a run is its mean over trials, or its only trial.
function profileValues(profile) {
  const [best, mean, deviation, exact] = ["best", "mean", "deviation", "exact"].map((key) => Array.from(floats(profile[key])));
  const several = mean.length > 0;
  return { ...profile, best, exact, several, line: several ? mean : best,
           low: mean.map((m, i) => m - deviation[i]), high: mean.map((m, i) => m + deviation[i]) };
}

const placeText = (profile) => (profile.cut ? `${shortened(profile.cut, 20)} = ${quantity(profile, profile.cut, number(profile.place))}` : "");

/// One run: mean with band and the best trial, or the only trial; and the exact solution.
function profileTraces(values) {
  const line = { color: COLOURS[0], width: 2 }, hovertemplate = profileHover(values);
  const traces = values.several
    ? [...bandTraces(values.axis, values.line, values.low, values.high, "mean ± deviation", line, hovertemplate),
       { x: values.axis, y: values.best, mode: "lines", name: "best trial", line: { color: COLOURS[2], width: 1.5, dash: "dot" }, hovertemplate }]
    : [{ x: values.axis, y: values.best, mode: "lines", name: "prediction", line, hovertemplate }];
  if (values.exact.length > 0)
    traces.push({ x: values.axis, y: values.exact, mode: "lines", name: "exact", line: { color: COLOURS[1], width: 2, dash: "dash" }, hovertemplate });
  return traces;
}

const profileLayout = (profile) =>
  layout(axis(axisName(profile, profile.coordinate)), axis(axisName(profile, profile.field)), { showlegend: true });
const profileHover = (profile) => `${hoverText(profile, profile.coordinate, profile.field)}<extra>%{fullData.name}</extra>`;

/// A field of one coordinate: its curve over all trials, and the error of the best one.
function curveView(key, field, values, run) {
  const found = run.profiles.find((profile) => profile.field === field.name && !profile.cut);
  const profile = profileValues(found);
  const plots = [plot(`${key}-curve`, shortened(field.name), profileTraces(profile), profileLayout(profile))];
  if (values.hasReference) {
    const error = Array.from(values.error(0), Math.abs);
    const unit = unitOf(field, field.name);
    const trace = { x: field.axes[0], y: error, mode: "lines", name: "|prediction − exact|", line: { color: COLOURS[2], width: 1.5 }, hovertemplate: `${hoverText(field, field.coordinates[0], field.name, "|error|")}<extra></extra>` };
    plots.push(plot(`${key}-error`, `Absolute error of ${shortened(field.name)}`, [trace],
                    layout(axis(axisName(field, field.coordinates[0])), valueAxis(`|prediction − exact|${unit ? ` (${plain(unit)})` : ""}`, error))));
  }
  return [element("div", "plots", plots)];
}

/// A map over space and time: a profile that a slider moves, and the profiles at chosen places.
function profileView(key, field, values, run) {
  const parts = [];
  if (field.coordinates[1] === field.time) parts.push(slidingProfile(key, field, values));
  const profiles = run.profiles.filter((profile) => profile.field === field.name).map(profileValues)
    .filter((profile) => profile.line.some((value) => Number.isFinite(value)));  // times that are not trained yet have none
  const together = profiles.length > 3 && !profiles[0].several;
  if (together) parts.push(profilesTogether(key, profiles));
  else
    profiles.forEach((profile, i) => parts.push(plot(`${key}-profiles-${i}`, `${shortened(field.name)} at ${placeText(profile)}`,
                                                     profileTraces(profile), profileLayout(profile))));
  return parts.length > 0 ? [element("div", "plots", parts)] : [];
}

function slidingProfile(key, field, values) {
  const [x, times] = field.axes;
  const traces = (frame) => {
    const row = (all) => Array.from(all.subarray(frame * values.width, (frame + 1) * values.width));
    const hovertemplate = `${hoverText(field, field.coordinates[0], field.name)}<extra>%{fullData.name}</extra>`;
    const result = [{ x, y: row(values.prediction(0)), mode: "lines", name: "prediction", line: { color: COLOURS[0], width: 2 }, hovertemplate }];
    if (values.hasReference)
      result.push({ x, y: row(values.reference(0)), mode: "lines", name: "exact", line: { color: COLOURS[1], width: 2, dash: "dash" }, hovertemplate });
    return result;
  };
  const room = 0.05 * (values.range[1] - values.range[0]);
  const lay = layout(axis(axisName(field, field.coordinates[0])),
                     axis(axisName(field, field.name), "linear", { range: [values.range[0] - room, values.range[1] + room] }),
                     { showlegend: true });
  const show = (frame) => { redraw(`${key}-profile`, traces(frame), lay); drawAll(); };
  const start = lastKnown(times.length, (frame) => values.prediction(0).subarray(frame * values.width, (frame + 1) * values.width), Math.floor(times.length / 2));
  const control = slider(`${key}-profile`, field.coordinates[1], unitOf(field, field.coordinates[1]), times, start, show);
  return element("div", "plot", element("h3", "", `Profile of ${shortened(field.name)}`), control.box,
                 plot(`${key}-profile`, "", traces(control.frame), lay));
}

function profilesTogether(key, profiles) {
  const exact = profiles.some((profile) => profile.exact.length > 0);
  const traces = profiles.flatMap((profile, i) => {
    const colour = COLOURS[i % COLOURS.length], name = plain(placeText(profile)), hovertemplate = profileHover(profile);
    const lines = [{ x: profile.axis, y: profile.line, mode: "lines", name, legendgroup: name, line: { color: colour, width: 2 }, hovertemplate }];
    if (profile.exact.length > 0)
      lines.push({ x: profile.axis, y: profile.exact, mode: "lines", name: `${name}, exact`, legendgroup: name, showlegend: false,
                   line: { color: colour, width: 1.5, dash: "dash" }, hovertemplate });
    return lines;
  });
  return plot(`${key}-profiles`, `Profiles of ${shortened(profiles[0].field)}${exact ? " (exact: dashed)" : ""}`, traces,
              profileLayout(profiles[0]));
}

/// The same lines of several runs in one plot each, where runs have them in common.
function comparedProfiles(runs) {
  const groups = new Map();
  runs.forEach((run, r) => run.profiles.forEach((profile) => {
    const key = JSON.stringify([profile.field, profile.coordinate, profile.cut, profile.place]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ run, r, profile: profileValues(profile) });
  }));
  const pictures = [...groups.values()].filter((members) => members.length > 1).map((members, i) => {
    const { profile } = members[0];
    const traces = members.flatMap((member) => {
      const { line, low, high, axis: x, several } = member.profile;
      const name = plain(member.run.label), style = { color: COLOURS[member.r % COLOURS.length], width: 2,
                                                      dash: DASHES[Math.floor(member.r / COLOURS.length) % DASHES.length] };
      const hovertemplate = profileHover(member.profile);
      return several ? bandTraces(x, line, low, high, name, style, hovertemplate) : [{ x, y: line, mode: "lines", name, line: style, hovertemplate }];
    });
    if (profile.exact.length > 0)
      traces.push({ x: profile.axis, y: profile.exact, mode: "lines", name: "exact", line: { color: theme.soft, width: 1.5, dash: "dash" }, hovertemplate: profileHover(profile) });
    const place = placeText(profile);
    return plot(`compared-${i}`, `${shortened(profile.field)}${place ? ` at ${place}` : ""}`, traces, profileLayout(profile));
  });
  return pictures.length > 0 ? [element("h2", "", "Solutions compared"), element("div", "plots", pictures)] : [];
}

/// Five pictures through time as papers show them, or those that the problem asks for; `range` is that of the map of the field.
function snapshotView(key, snapshots, run, range) {
  const values = fieldValues(snapshots);
  const { pecannWidth, pecannHeight, ...lay } = { ...mapLayout(snapshots), margin: { l: 34, r: 6, t: 4, b: 30 } };
  const wanted = run.snapshot_times.length > 0 ? run.snapshot_times : snapshots.frames;
  const frameAt = (time) => snapshots.frames.findIndex((t) => Math.abs(t - time) <= 1e-4 * Math.max(1, Math.abs(time)));
  const known = (time) => values.prediction(frameAt(time)).some((value) => Number.isFinite(value));  // it is trained so far
  const pictures = wanted.filter(known).map((time, i) => {
    const traces = mapTraces(snapshots, values.prediction(frameAt(time)), values.width, range, "Viridis");
    traces[0].showscale = false;
    return plot(`${key}-snapshot-${i}`, `${shortened(snapshots.slider, 20)} = ${quantity(snapshots, snapshots.slider, number(time))}`, traces, lay, "low");
  });
  const levels = snapshots.contours.length > 0 ? ` (lines: ${snapshots.contours.map((level) => number(level)).join(", ")})` : "";
  const parts = [element("h3", "group", `Snapshots of ${shortened(snapshots.name)} in the colours of the map above${levels}`), element("div", "plots small", pictures)];
  if (pictures.length === 0) return [];
  if (run.contour_times.some(known) && snapshots.contours.length > 0)
    parts.push(element("div", "plots", contourPlot(key, snapshots, values, run.contour_times.filter(known).map((time) => [time, frameAt(time)]))));
  return parts;
}

/// Iso-lines at chosen times in one picture: a colour for each time.
function contourPlot(key, field, values, times) {
  const traces = times.flatMap(([time, frame], i) => {
    const colour = COLOURS[i % COLOURS.length];
    const z = rowsOf(values.prediction(frame), values.width);
    const lines = field.contours.map((level) => isoLine(field, z, level, { color: colour, width: 1.3 }));
    // Iso-lines have no entry in the legend: a line without points stands for them.
    const entry = { x: [field.axes[0][0]], y: [field.axes[1][0]], mode: "lines", line: { color: colour, width: 2 },
                    name: plain(`${field.slider} = ${quantity(field, field.slider, number(time))}`), hoverinfo: "skip" };
    return [entry, ...lines];
  });
  return plot(`${key}-contours`, `Iso-lines of ${shortened(field.name)} at ${field.contours.map((level) => number(level)).join(", ")}`,
              traces, { ...mapLayout(field), showlegend: true }, "tall");
}

function fieldSection(run, index) {
  const title = run.trials.length > 1 ? `Solution (trial ${run.best}, the best)` : "Solution";
  const parts = [section("solution", run.label ? `${title}: ${run.label}` : title, index)];
  if (!hasPlots) {
    parts.push(element("p", "", "`pecann predict` writes the fields as .csv, .npy or .vti for other tools."));
    return parts;
  }
  if (run.fields.length === 0) parts.push(element("p", "soft", "The solution is being evaluated; the page will show it."));
  run.fields.forEach((field, f) => {
    if (field.coordinates.length === 0) return;
    const key = `field-${index}-${f}`, values = fieldValues(field);
    const fixed = Object.entries(field.fixed).map(([name, value]) => `${shortened(name, 20)} = ${quantity(run, name, number(value))}`);
    if (run.fields.length > 1 || fixed.length > 0)
      parts.push(element("p", "soft field", `Field ${shortened(field.name)}${fixed.length > 0 ? ` at ${fixed.join(", ")}` : ""}`));
    if (field.coordinates.length === 1) {
      parts.push(...curveView(key, field, values, run));
      return;
    }
    parts.push(...mapView(key, field, values), ...profileView(key, field, values, run));
    const snapshots = run.snapshots.find((view) => view.name === field.name);
    if (snapshots) parts.push(...snapshotView(key, snapshots, run, values.range));
  });
  // A body is looked at before planes through it, a flow before its components.
  parts.splice(1, 0, ...run.bodies.map((body, i) => bodyView(run, body, `body-${index}-${i}`)), ...vectorViews(run, index));
  return parts;
}
