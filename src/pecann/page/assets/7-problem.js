// The problem as it was asked: equations and conditions, constants, networks, points.

const GREEK = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", eps: "ε", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ",
                nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", psi: "ψ", omega: "ω", laplacian: "∇²", sqrt: "√" };

/// A formula of a problem file as nodes: derivatives as subscripts, powers raised, Greek letters, products as dots.
function formula(text) {
  const tokens = text.match(/[A-Za-z][A-Za-z0-9_.]*|\d+\.?\d*(?:[eE][-+]?\d+)?|\s+|[^\sA-Za-z0-9]/g) || [];
  const nodes = [];
  for (let i = 0; i < tokens.length; ++i) {
    const token = tokens[i];
    if (/^[A-Za-z]/.test(token)) {
      const [name, ...below] = token.split("_");
      const call = tokens[i + 1] === "(" && below.length === 0;
      nodes.push(element(call ? "span" : "i", "", GREEK[name] || name));
      if (below.length > 0) nodes.push(element("sub", "", below.map((part) => GREEK[part] || part).join(" ")));
    } else if (token === "^" && /^[A-Za-z0-9]/.test(tokens[i + 1] || "")) {
      nodes.push(element("sup", "", GREEK[tokens[++i]] || tokens[i]));
    } else if (token === "*") {
      nodes.push("\u2009·\u2009");
    } else {
      nodes.push(token === "-" ? "−" : token);
    }
  }
  return element("span", "formula", nodes);
}

function equationTable(run) {
  const rows = run.terms.flatMap((term, t) => term.equations.map((equation, i) => [
    i === 0 ? element("span", "", termMark(t), term.name) : "", i === 0 ? term.region || "data" : "", formula(equation),
    i === 0 ? (term.role === "constraint" ? "must hold" : "as well as possible") : "", i === 0 ? number(term.points) : ""]));
  return table([{ title: "term" }, { title: "where" }, { title: "equation", kind: "text" }, { title: "role" }, { title: "points", kind: "number" }], rows);
}

function askedTable(run) {
  const about = run.about;
  const range = (c) => `${number(c.low, 4)} ≤ ${c.name} ≤ ${number(c.high, 4)}${c.time ? " (time)" : c.space ? "" : " (family)"}`;
  const rows = [["domain", about.coordinates.map(range).join(", ")]];
  const constants = Object.entries(about.constants);
  if (constants.length > 0) rows.push(["constants", constants.map(([name, value]) => `${name} = ${number(value, 6)}`).join(", ")]);
  if (about.parameters.length > 0) rows.push(["inferred", about.parameters.join(", ")]);
  for (const [name, text] of Object.entries(about.exact)) rows.push([`exact ${shortened(name, 20)}`, formula(shortened(text, 400))]);
  for (const network of about.networks) rows.push([`network of ${shortened(network.fields.join(", "), 30)}`, network.text]);
  rows.push(["training", `${about.training}; penalty ${run.strategy}${about.windows > 1 ? `; ${about.windows} windows of time` : ""}`]);
  if (about.recommendation) rows.push(["why so", about.recommendation]);
  return table([{ title: "what" }, { title: "value", kind: "text" }], rows);
}

const openDetails = new Set();  // runs whose problem file is shown; kept over updates

function problemSection(run, index) {
  const plots = hasPlots ? [pointsPlot(run, index), ...run.measured.map((data, i) => measuredPlot(data, index, i))].filter((p) => p) : [];
  const file = element("details", "", element("summary", "", "Problem file"), scrollable(element("pre", "", run.problem)));
  file.open = openDetails.has(index);
  file.addEventListener("toggle", () => { if (file.open) openDetails.add(index); else openDetails.delete(index); });
  return [section("problem", run.label ? `The problem: ${run.label}` : "The problem", index), equationTable(run), sketchView(run), askedTable(run),
          element("div", "plots", plots), file];
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
