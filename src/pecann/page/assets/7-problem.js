// The problem as it was asked: equations and conditions, constants, networks, points.

const GREEK = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", eps: "ε", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ",
                nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", psi: "ψ", omega: "ω", zeta: "ζ", chi: "χ" };
const CALLS = { laplacian: "∇²", sqrt: "√", grad: "∇", div: "∇·", curl: "∇×", integral: "∫" };
const SIGNS = { "-": "−", ">=": "≥", "<=": "≤", "==": "=", "*": "\u2009·\u2009" };

/// Where the parenthesis that opens at tokens[open] closes, and the commas of its own; null where it does not.
function parenthesis(tokens, open) {
  const commas = [];
  for (let i = open, depth = 0; i < tokens.length; ++i) {
    if (tokens[i] === "(") ++depth;
    if (tokens[i] === ")" && --depth === 0) return { commas, end: i };
    if (tokens[i] === "," && depth === 1) commas.push(i);
  }
  return null;
}

/// A formula of a problem file as nodes: derivatives as subscripts, powers raised, Greek letters, products as dots.
function formula(text) {
  const tokens = text.match(/[A-Za-z][A-Za-z0-9_.]*|\d+\.?\d*(?:[eE][-+]?\d+)?|\s+|[<>=]=|[^\sA-Za-z0-9]/g) || [];
  const nodes = [];
  for (let i = 0; i < tokens.length; ++i) {
    const token = tokens[i];
    // d(a*u_x, x) is ∂x of what stands in the parenthesis, abs(a) is |a|, dn(a) the derivative along the normal.
    const inner = ["d", "abs", "dn"].includes(token) && tokens[i + 1] === "(" ? parenthesis(tokens, i + 1) : null;
    if (inner) {
      const own = formula(tokens.slice(i + 2, inner.commas[0] ?? inner.end).join("")).childNodes, along = tokens.slice((inner.commas[0] ?? inner.end) + 1, inner.end).join("").replace(/,/g, " ");
      nodes.push(...(token === "abs" ? ["|", ...own, "|"] : ["∂", element("sub", "", token === "dn" ? "n" : along), "(", ...own, ")"]));
      i = inner.end;
    } else if (/^[A-Za-z]/.test(token)) {
      const [name, ...below] = token.split("_");
      const call = tokens[i + 1] === "(" && below.length === 0;
      nodes.push(element(call ? "span" : "i", "", (call && CALLS[name]) || GREEK[name] || name));
      if (below.length > 0) nodes.push(element("sub", "", below.map((part) => GREEK[part] || part).join(" ")));
    } else if (token === "^" && /^[A-Za-z0-9]/.test(tokens[i + 1] || "")) {
      nodes.push(element("sup", "", GREEK[tokens[++i]] || tokens[i]));
    } else {
      nodes.push(SIGNS[token] || token);
    }
  }
  return element("span", "formula", nodes);
}

/// What goes on across the planes between parts: of `at(u_x, x = …) = u_x` u_x.
function jointRow(run, term, t) {
  const same = term.equations.map((equation) => equation.slice(equation.lastIndexOf("=") + 1).trim());
  const values = same.flatMap((name, i) => [i > 0 ? ", " : "", formula(name)]);
  return [element("span", "", termMark(t), term.name), `${term.planes} ${term.planes === 1 ? "plane" : "planes"} between parts`,
          element("span", "", values, same.length === 1 ? " goes on" : " go on"), "must hold", number(term.points)];
}

function equationTable(run) {
  const rows = run.terms.flatMap((term, t) => term.planes ? [jointRow(run, term, t)] : term.equations.map((equation, i) => [
    i === 0 ? element("span", "", termMark(t), term.name) : "", i === 0 ? term.region || "data" : "", formula(equation),
    i === 0 ? (term.role === "constraint" ? "must hold" : "as well as possible") : "", i === 0 ? number(term.points) : ""]));
  return table([{ title: "term" }, { title: "where" }, { title: "equation", kind: "text" }, { title: "role" }, { title: "points", kind: "number" }], rows);
}

function askedTable(run) {
  const about = run.about;
  const range = (c) => `${number(c.low, 4)} ≤ ${c.name} ≤ ${quantity(run, c.name, number(c.high, 4))}${c.time ? " (time)" : c.space ? "" : " (family)"}`;
  const rows = [["domain", `${about.coordinates.map(range).join(", ")}${about.domain ? `: ${about.domain}` : ""}`]];
  for (const [name, text] of Object.entries(about.shapes)) rows.push([`shape ${shortened(name, 20)}`, shortened(text, 400)]);
  const constants = Object.entries(about.constants);
  if (constants.length > 0) rows.push(["constants", constants.map(([name, value]) => `${name} = ${quantity(run, name, number(value, 6))}`).join(", ")]);
  const fields = about.networks.flatMap((network) => network.fields).filter((name) => unitOf(run, name));
  if (fields.length > 0) rows.push(["fields", fields.map((name) => withUnit(run, name)).join(", ")]);
  if (about.parameters.length > 0) rows.push(["inferred", about.parameters.map((name) => withUnit(run, name)).join(", ")]);
  for (const [name, text] of Object.entries(about.functions)) rows.push([formula(shortened(name, 40)), formula(shortened(text, 400))]);
  for (const [name, text] of Object.entries(about.exact)) rows.push([`exact ${shortened(name, 20)}`, formula(shortened(text, 400))]);
  for (const network of about.networks) rows.push([`network of ${shortened(network.fields.join(", "), 30)}`, network.text]);
  if (about.parts) rows.push(["parts", `${about.parts}, each with ${run.solved ? "features" : about.networks.length === 1 ? "a network" : "networks"} of its own`]);
  rows.push([run.solved ? "method" : "training", `${about.training}${run.solved ? "" : `; penalty ${run.strategy}`}${about.windows > 1 ? `; ${about.windows} windows of time` : ""}`]);
  if (about.recommendation) rows.push(["why so", about.recommendation]);
  return table([{ title: "what" }, { title: "value", kind: "text" }], rows);
}

const openDetails = new Set();  // runs whose problem file is shown; kept over updates

function problemSection(run, index) {
  const plots = hasPlots ? [pointsPlot(run, index), ...run.measured.map((data, i) => measuredPlot(data, index, i))].filter((p) => p) : [];
  const file = element("details", "", element("summary", "", "Problem file"), scrollable(element("pre", "", run.problem)));
  file.open = openDetails.has(index);
  file.addEventListener("toggle", () => { if (file.open) openDetails.add(index); else openDetails.delete(index); });
  return [section("problem", run.label ? `The problem: ${run.label}` : "The problem", index), equationTable(run),
          element("div", "plots", sketchView(run), plots), askedTable(run), file];
}

/// The problems of several runs, each once: runs that differ in their training share one.
function problemSections(runs) {
  const seen = new Map();
  runs.forEach((run, index) => {
    const { training, recommendation, ...asked } = run.about;
    const key = JSON.stringify([asked, run.terms.map((term) => [term.name, term.role, term.region, term.equations])]);
    seen.set(key, [...(seen.get(key) || []), index]);
  });
  return [...seen.values()].flatMap(([first, ...others]) => {
    const [heading, ...rest] = problemSection(runs[first], first);
    if (others.length > 0) heading.textContent = seen.size > 1 ? `The problem: ${[first, ...others].map((i) => runs[i].label).join(", ")}` : "The problem";
    return [heading, ...rest];
  });
}

/// "term.1.points" → its text, for every line of a problem file.
function settingsOf(text) {
  const settings = new Map(), counts = {};
  let prefix = "";
  for (const line of text.split("\n")) {
    const table = line.match(/^\s*\[\[?([^\]]+)\]\]?\s*$/), entry = line.match(/^\s*([A-Za-z0-9_."-]+)\s*=\s*(.*)$/);
    if (table) {
      counts[table[1]] = (counts[table[1]] || 0) + 1;
      prefix = line.includes("[[") ? `${table[1]}.${counts[table[1]]}.` : `${table[1]}.`;
    } else if (entry) {
      settings.set(prefix + entry[1], entry[2]);
    }
  }
  return settings;
}

/// What differs between the problem files of several runs; null where nothing does.
function differenceTable(runs) {
  const all = runs.map((run) => settingsOf(run.problem));
  const keys = [...new Set(all.flatMap((settings) => [...settings.keys()]))]
    .filter((key) => key !== "origin" && all.some((settings) => settings.get(key) !== all[0].get(key)));
  if (keys.length === 0) return null;
  const rows = keys.slice(0, 40).map((key) => [key, ...all.map((settings) => shortened(settings.get(key) ?? "–", 60))]);
  return [element("h3", "group", `What differs in their settings${keys.length > 40 ? ` (40 of ${keys.length})` : ""}`),
          table([{ title: "key" }, ...runs.map((run) => ({ title: run.label }))], rows)];
}
