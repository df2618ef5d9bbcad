// A body in three dimensions that people turn and cut: its surface in the colours of a field, and the field on the cut.

const STOPS = { prediction: ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
                error: ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"] };

/// The colour of a share between 0 and 1 as [red, green, blue]; null where there is no number.
function colourOf(stops, share) {
  if (!Number.isFinite(share)) return null;
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1), at = Math.min(stops.length - 2, Math.floor(place)), rest = place - at;
  return [0, 2, 4].map((i) => (1 - rest) * parseInt(stops[at].slice(i, i + 2), 16) + rest * parseInt(stops[at + 1].slice(i, i + 2), 16));
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const bodyStates = new Map();  // key → how it is turned and cut; kept over updates

/// Where a camera far away looks from, with what is right and what is up for it.
function camera({ yaw, pitch }) {
  const [c, s, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return { towards: [cp * c, cp * s, sp], right: [-s, c, 0], up: [-sp * c, -sp * s, cp] };
}

/// Closed curves from pairs of keys that follow one another; `points` has the place of each key.
function closedCurves(pairs, points) {
  const next = new Map();
  for (const [a, b] of pairs)
    for (const [from, to] of [[a, b], [b, a]]) next.set(from, [...(next.get(from) || []), to]);
  const curves = [];
  for (const start of next.keys()) {
    const curve = [];
    for (let at = start; next.get(at).length > 0;) {
      const to = next.get(at).pop(), back = next.get(to);
      back.splice(back.indexOf(at), 1);
      curve.push(points.get(to));
      at = to;
    }
    if (curve.length > 2) curves.push(curve);
  }
  return curves;
}

/// The facets of a surface on the near side of the plane where coordinate `axis` is `place` (all without a plane), those that it cuts
/// cut off, each as { corners, value }; and the curves in which it cuts the surface.
function cutSurface(vertices, facets, values, axis, place) {
  const corner = (v) => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const kept = [], pairs = [], points = new Map(), count = vertices.length / 3;
  const between = (a, b) => {
    const p = corner(a), q = corner(b), share = (place - p[axis]) / (q[axis] - p[axis]);
    return p.map((value, i) => (i === axis ? place : value + share * (q[i] - value)));
  };
  for (let f = 0; f < facets.length; f += 4) {
    const ring = [facets[f], facets[f + 1], facets[f + 2], facets[f + 3]];
    const value = (values[ring[0]] + values[ring[1]] + values[ring[2]] + values[ring[3]]) / 4;
    const beyond = ring.map((v) => axis >= 0 && vertices[3 * v + axis] > place);
    if (beyond.every((b) => b)) continue;
    if (!beyond.some((b) => b)) { kept.push({ corners: ring.map(corner), value }); continue; }
    const corners = [];
    ring.forEach((v, i) => {
      const after = (i + 1) % 4;
      if (!beyond[i]) corners.push(corner(v));
      if (beyond[i] !== beyond[after]) corners.push(between(v, ring[after]));
    });
    kept.push({ corners, value });
    for (const three of [[0, 1, 2], [0, 2, 3]]) {  // a triangle is cut in one line
      const keys = [];
      three.forEach((a, i) => {
        const b = three[(i + 1) % 3];
        if (beyond[a] === beyond[b]) return;
        const key = Math.min(ring[a], ring[b]) * count + Math.max(ring[a], ring[b]);
        points.set(key, between(ring[a], ring[b]));
        keys.push(key);
      });
      if (keys.length === 2) pairs.push(keys);
    }
  }
  return { kept, curves: closedCurves(pairs, points) };
}

/// A function of two shares of a plane through a grid of values, by straight lines between its nodes.
function planeOf(volume, nodes, axis, share) {
  const strides = [1, nodes[0], nodes[0] * nodes[1]], [a, b] = [0, 1, 2].filter((i) => i !== axis);
  const split = (s, i) => { const at = Math.min(nodes[i] - 2, Math.floor(s * (nodes[i] - 1))); return [at, s * (nodes[i] - 1) - at]; };
  return (sa, sb) => {
    const parts = [[axis, ...split(share, axis)], [a, ...split(sa, a)], [b, ...split(sb, b)]];
    let sum = 0;
    for (let n = 0; n < 8; ++n) {
      let at = 0, weight = 1;
      parts.forEach(([i, node, rest], k) => { const far = (n >> k) & 1; at += (node + far) * strides[i]; weight *= far ? rest : 1 - rest; });
      if (weight > 0) sum += weight * volume[at];
    }
    return sum;
  };
}

/// The values of a plane as a picture; nothing where they are no numbers.
function planePicture(at, stops, [low, high], size = 120) {
  const made = Object.assign(element("canvas"), { width: size, height: size }), ctx = made.getContext("2d"), image = ctx.createImageData(size, size);
  for (let j = 0; j < size; ++j)
    for (let i = 0; i < size; ++i) {
      const colour = colourOf(stops, (at((i + 0.5) / size, (j + 0.5) / size) - low) / (high - low)), p = 4 * (j * size + i);
      if (colour) [image.data[p], image.data[p + 1], image.data[p + 2], image.data[p + 3]] = [...colour, 255];
    }
  ctx.putImageData(image, 0, 0);
  return made;
}

/// What a body looks like from somewhere: facets from far to near, the plane of its cut, its box; all on a sheet of this size.
function bodyScene(body, state, width, height) {
  const { towards, right, up } = camera(state), { low, high } = body, extent = low.map((l, i) => high[i] - l);
  const longest = Math.max(...extent), stretch = extent.map((e) => (longest > 6 * Math.min(...extent) ? 1 / e : 1 / longest));
  const room = Math.min(width - 150, height - 60) / 1.6 * state.zoom, centre = [(width - 70) / 2, height / 2];
  const normal = (p) => p.map((value, i) => (value - 0.5 * (low[i] + high[i])) * stretch[i]);
  const project = (p) => { const q = normal(p); return [centre[0] + room * dot(q, right), centre[1] - room * dot(q, up), dot(q, towards)]; };
  const field = body.fields[state.field], part = state.part, frame = state.frame;
  const surface = field[part].surface.subarray(frame * body.vertices.length / 3), volume = field[part].volume.subarray(frame * body.size);
  const [from, to] = field[part].range, stops = STOPS[part], place = low[Math.max(0, state.axis)] + state.place * extent[Math.max(0, state.axis)];
  const { kept, curves } = cutSurface(body.vertices, body.facets, surface, state.axis, place);
  const polygons = kept.map(({ corners, value }) => {
    const flat = corners.map(project), [p, q, r] = [corners[0], corners[1], corners[corners.length - 1]].map(normal);
    const u = q.map((x, i) => x - p[i]), v = r.map((x, i) => x - p[i]);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], size = Math.hypot(...cross) || 1;
    const light = 0.74 + 0.26 * Math.abs(0.8 * dot(cross, towards) + 0.6 * dot(cross, up)) / size;
    const colour = colourOf(stops, (value - from) / (to - from)) || [150, 150, 150];
    return { flat, depth: flat.reduce((sum, f) => sum + f[2], 0) / flat.length, value, corners,
             colour: `rgb(${colour.map((c) => Math.round(Math.min(255, c * light))).join(",")})` };
  }).sort((a, b) => a.depth - b.depth);
  let slice = null;
  if (state.axis >= 0 && curves.length > 0) {
    const [a, b] = [0, 1, 2].filter((i) => i !== state.axis), at = planeOf(volume, body.nodes, state.axis, state.place);
    const spot = (sa, sb) => { const p = [0, 0, 0]; p[state.axis] = place; p[a] = low[a] + sa * extent[a]; p[b] = low[b] + sb * extent[b]; return p; };
    const [o, e, f] = [spot(0, 0), spot(1, 0), spot(0, 1)].map(project);
    slice = { curves: curves.map((curve) => curve.map(project)), at, spot, front: towards[state.axis] > 0, picture: () => planePicture(at, stops, [from, to]),
              matrix: [e[0] - o[0], e[1] - o[1], f[0] - o[0], f[1] - o[1], o[0], o[1]] };
  }
  return { polygons, slice, project, stops, range: [from, to], label: part === "error" ? "|error|" : field.name, unit: unitOf(body, field.name), width, height };
}

/// The edges of the box with the names and the ends of its coordinates: texts stand at its rim.
function boxFrame(body, project) {
  const { low, high } = body, corner = (n) => low.map((l, i) => ((n >> i) & 1 ? high[i] : l));
  const lines = [], texts = [], middle = project(low.map((l, i) => 0.5 * (l + high[i])));
  for (let axis = 0; axis < 3; ++axis) {
    const starts = [0, 1, 2, 3, 4, 5, 6, 7].filter((n) => !((n >> axis) & 1));
    const edges = starts.map((n) => [project(corner(n)), project(corner(n | (1 << axis)))]);
    edges.forEach(([p, q]) => lines.push({ p, q, near: p[2] + q[2] > 2 * middle[2] }));
    const rim = ([p, q]) => (axis === 2 ? p[0] + q[0] : -(p[1] + q[1]));  // the leftmost upright edge, the lowest others
    const [p, q] = edges.reduce((best, edge) => (rim(edge) < rim(best) ? edge : best));
    const away = [0.5 * (p[0] + q[0]) - middle[0], 0.5 * (p[1] + q[1]) - middle[1]], size = Math.hypot(...away) || 1;
    const outside = ([x, y], by) => [x + by * away[0] / size, y + by * away[1] / size];
    texts.push({ text: withUnit(body, shortened(body.coordinates[axis], 12)), at: outside([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])], 22), strong: true },
               { text: number(low[axis], 4), at: outside([0.88 * p[0] + 0.12 * q[0], 0.88 * p[1] + 0.12 * q[1]], 15) },
               { text: number(high[axis], 4), at: outside([0.12 * p[0] + 0.88 * q[0], 0.12 * p[1] + 0.88 * q[1]], 15) });
  }
  return { lines, texts };
}

function paintScene(ctx, scene, frame) {
  const { width, height, slice } = scene;
  ctx.fillStyle = theme.ground;
  ctx.fillRect(0, 0, width, height);
  const trace = (points) => points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  const edges = (near) => {
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 0.8;
    for (const { p, q } of frame.lines.filter((line) => line.near === near)) { ctx.beginPath(); trace([p, q]); ctx.stroke(); }
  };
  const surface = () => {
    ctx.lineWidth = 0.7;
    for (const { flat, colour } of scene.polygons) {
      ctx.fillStyle = ctx.strokeStyle = colour;
      ctx.beginPath();
      trace(flat);
      ctx.closePath();
      ctx.fill();
      ctx.stroke();
    }
  };
  const plane = () => {
    if (!slice) return;
    slice.path = new Path2D(slice.curves.map((curve) => `M${curve.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`).join(""));
    ctx.save();
    ctx.clip(slice.path, "evenodd");
    ctx.transform(...slice.matrix);
    ctx.drawImage(slice.picture(), 0, 0, 1, 1);
    ctx.restore();
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = 1;
    ctx.stroke(slice.path);
  };
  edges(false);
  for (const part of slice && !slice.front ? [plane, surface] : [surface, plane]) part();
  edges(true);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { text, at, strong } of frame.texts) {
    ctx.font = `${strong ? "600 13px" : "11px"} system-ui, "DejaVu Sans", sans-serif`;
    ctx.fillStyle = strong ? theme.ink : theme.soft;
    ctx.fillText(text, ...at);
  }
  const bar = colourBar(scene);
  bar.steps.forEach(({ y, colour }) => { ctx.fillStyle = colour; ctx.fillRect(bar.x, y, 12, bar.step + 0.5); });
  ctx.textAlign = "left";
  ctx.font = '11px system-ui, "DejaVu Sans", sans-serif';
  ctx.fillStyle = theme.ink;
  for (const { y, text } of bar.ticks) ctx.fillText(text, bar.x + 16, y);
  ctx.fillText(bar.title, bar.x - 20, bar.top - 12);
}

function colourBar({ width, height, stops, range: [low, high], label, unit }) {
  const top = 44, length = height - 2 * top, parts = 60, step = length / parts;
  const steps = Array.from({ length: parts }, (_, i) => ({ y: top + length - (i + 1) * step, colour: `rgb(${colourOf(stops, (i + 0.5) / parts).map(Math.round).join(",")})` }));
  const { tickvals, ticktext } = roundTicks([low, high]);
  const ticks = tickvals.map((value, i) => ({ y: top + length * (high - value) / (high - low), text: ticktext[i] }));
  return { x: width - 74, top, step, steps, ticks, title: shortened(label, 9) + (unit ? ` (${shortened(unit, 9)})` : "") };
}

/// The same picture as a drawing of lines and areas.
function sceneSvg(scene, frame) {
  const { width, height, slice } = scene, escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;"), at = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
  const edges = (near) => frame.lines.filter((line) => line.near === near).map(({ p, q }) => `<path d="M${at(p)}L${at(q)}" stroke="${theme.line}" stroke-width="0.8"/>`);
  const surface = scene.polygons.map(({ flat, colour }) => `<polygon points="${flat.map(at).join(" ")}" fill="${colour}" stroke="${colour}" stroke-width="0.7"/>`);
  const curves = slice ? slice.curves.map((curve) => `M${curve.map(at).join("L")}Z`).join("") : "";
  const plane = slice ? [`<clipPath id="cut"><path d="${curves}" clip-rule="evenodd"/></clipPath>`,
                         `<g clip-path="url(#cut)"><image width="1" height="1" preserveAspectRatio="none" transform="matrix(${slice.matrix.join(" ")})" href="${slice.picture().toDataURL()}"/></g>`,
                         `<path d="${curves}" fill="none" stroke="${theme.ink}"/>`] : [];
  const bar = colourBar(scene), text = (x, y, words, anchor, size = 11) => `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${theme.ink}">${escape(words)}</text>`;
  const words = [...frame.texts.map((one) => text(...one.at, one.text, "middle", one.strong ? 13 : 11)), ...bar.ticks.map(({ y, text: words }) => text(bar.x + 16, y, words, "start")),
                 text(bar.x - 20, bar.top - 12, bar.title, "start")];
  const steps = bar.steps.map(({ y, colour }) => `<rect x="${bar.x}" y="${y.toFixed(2)}" width="12" height="${(bar.step + 0.5).toFixed(2)}" fill="${colour}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif"><rect width="100%" height="100%" fill="${theme.ground}"/>` +
         [...edges(false), ...(slice && !slice.front ? [...plane, ...surface] : [...surface, ...plane]), ...edges(true), ...steps, ...words].join("\n") + "</svg>\n";
}

/// What is under the pointer, in words; "" where there is nothing.
function readScene(ctx, scene, body, x, y, ratio) {
  const { slice } = scene;
  const say = (place, value) => `${body.coordinates.map((name, i) => `${shortened(name, 12)} = ${quantity(body, name, number(place[i], 4))}`).join(", ")}: ${scene.label} = ${number(value, 4)}${scene.unit ? ` ${scene.unit}` : ""}`;
  const onPlane = () => {
    if (!slice || !ctx.isPointInPath(slice.path, x * ratio, y * ratio, "evenodd")) return "";
    const [a, b, c, d, e, f] = slice.matrix, det = a * d - b * c || 1e-30, [dx, dy] = [x - e, y - f];
    const sa = Math.max(0, Math.min(1, (d * dx - c * dy) / det)), sb = Math.max(0, Math.min(1, (a * dy - b * dx) / det));
    return say(slice.spot(sa, sb), slice.at(sa, sb));
  };
  const inside = (ring) => ring.reduce((odd, [px, py], i) => {
    const [qx, qy] = ring[(i + 1) % ring.length];
    return (py > y) !== (qy > y) && x < (qx - px) * (y - py) / (qy - py) + px ? !odd : odd;
  }, false);
  const onSurface = () => {
    const found = scene.polygons.findLast(({ flat }) => inside(flat));
    return found ? say(found.corners[0].map((_, i) => found.corners.reduce((sum, p) => sum + p[i], 0) / found.corners.length), found.value) : "";
  };
  return slice && !slice.front ? onSurface() || onPlane() : onPlane() || onSurface();
}
