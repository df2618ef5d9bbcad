// The pages of tests/browser/run in Chromium: no console error, no request, every plot has data, sliders move, nothing overflows.
import { existsSync, readFileSync, statSync } from "node:fs";
import assert from "node:assert/strict";
import { accessibilityFaults, collisions, drawEverything, launch, open, overflow, plots } from "./look.mjs";

const [work, playwright, axeFile] = process.argv.slice(2);
const axe = axeFile ? readFileSync(axeFile, "utf8") : null;
const screenshots = !process.env.PECANN_NO_SCREENSHOTS;
const browser = await launch(playwright);

/// The sections of the page stand in the order of questions.
async function order(page) {
  return page.evaluate(() => [...document.querySelectorAll("h2[id]")].map((heading) => heading.id).filter((id) => !/^verdict|-\d+$/.test(id)));
}

/// What must hold at any width.
async function checkLayout(page, name, width, wanted) {
  await drawEverything(page);
  const found = await plots(page);
  assert.deepEqual(found.empty, [], `${name}: plots without data`);
  assert.deepEqual(found.undrawn, [], `${name}: plots not drawn`);
  for (const plot of wanted) assert.ok(found.names.includes(plot), `${name}: no plot ${plot} in ${found.names}`);
  assert.deepEqual(await collisions(page), [], `${name}: what lies over what at ${width} pixels`);
  assert.ok((await overflow(page)) <= 0, `${name}: wider than ${width} pixels`);
  if (axe) assert.deepEqual(await accessibilityFaults(page, axe), [], `${name}: accessibility at ${width} pixels`);
  if (screenshots) await page.screenshot({ path: `${work}/pages/${name}-${width}.png`, fullPage: true });
}

const only = process.env.BROWSER_ONLY ? process.env.BROWSER_ONLY.split(" ") : null;

/// Opens a page at 1400 pixels, looks at it, uses it, then makes the window 500 pixels wide.
async function check(name, expectations) {
  if (only && !only.includes(name)) return;
  const { page, problems, seconds } = await open(`file://${work}/pages/${name}.html`, 1400);
  assert.ok(seconds < (expectations.seconds ?? 10), `${name}: opened in ${seconds} s of the page's own time`);
  assert.equal(await page.locator(".modebar-btn[data-title*=hare]").count(), 0, `${name}: a button that sends the plot away`);
  const late = await page.evaluate(() => [...document.querySelectorAll("[data-plot]")].filter((area) => !area.querySelector("svg.main-svg")).length);
  if (expectations.plots.length > 8) assert.ok(late > 0, `${name}: plots out of view are drawn later`);
  if (!expectations.sections) assert.deepEqual(await order(page), ["solution", "residuals", "problem", "training", "facts"], `${name}: order of sections`);
  await checkLayout(page, name, 1400, expectations.plots);
  if (expectations.more) await expectations.more(page);
  await page.setViewportSize({ width: 500, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll("[data-plot]")].every((area) => [...area.querySelectorAll("svg.main-svg")]
    .every((svg) => svg.clientWidth <= Math.min(500, area.clientWidth + 1) && svg.clientHeight <= area.clientHeight + 1)));
  await checkLayout(page, name, 500, expectations.plots);
  assert.deepEqual(problems, [], `${name}: console and network`);
  await page.close();
  console.log(`ok ${name} (${(statSync(`${work}/pages/${name}.html`).size / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s)`);
}

const picture = (page, plot, key) => page.evaluate(([p, k]) => JSON.stringify(document.querySelector(`[data-plot="${p}"]`).data[0][k]), [plot, key]);

/// Moves a slider to its start and checks that a plot follows; then lets it play.
async function slides(page, slider, plot, key) {
  await page.locator(`[data-plot="${plot}"]`).scrollIntoViewIfNeeded();
  const before = await picture(page, plot, key);
  await page.locator(`[data-slider="${slider}"]`).fill("0");
  const after = await picture(page, plot, key);
  assert.ok(before !== after, `${plot} follows its slider`);
  const button = page.locator(".slide", { has: page.locator(`[data-slider="${slider}"]`) }).getByRole("button");
  await button.click();
  await page.waitForFunction(([p, k, old]) => JSON.stringify(document.querySelector(`[data-plot="${p}"]`).data[0][k]) !== old,
                             [plot, key, after]);  // it plays
  await button.click();
  await page.locator(`[data-slider="${slider}"]`).fill(await page.locator(`[data-slider="${slider}"]`).getAttribute("max"));
}

const training = ["loss", "constraints", "errors"].map((key) => `history-${key}`);  // others may be flat lines, which are words

/// Numbers and pictures of a plot can be had, under its name.
async function downloads(page, plot, name, header) {
  const area = page.locator(`[data-plot="${plot}"]`);
  await area.scrollIntoViewIfNeeded();
  await area.hover();
  for (const [title, ending, begin] of [["CSV", "csv", header], ["SVG", "svg", /^<svg/], ["PNG", "png", /^.PNG/]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), area.locator(`.modebar-btn[data-title*="${title}"]`).click()]);
    assert.equal(file.suggestedFilename(), `${name}.${ending}`);
    assert.match(readFileSync(await file.path(), "latin1"), begin, `${name}.${ending}`);
  }
}

await check("curve", { plots: [...training, "field-0-0-curve", "field-0-0-error", "estimated-0-0", "residual-0-0", "points-0"] });
await check("map", { plots: [...training, "estimated-0-0", "residual-0-0", "residual-0-1", "field-0-0-prediction", "field-0-0-reference", "field-0-0-error", "points-0"],
  more: async (page) => {
    await downloads(page, "field-0-0-prediction", "map-prediction-of-u", /^x,y,u\n-1,-1,-?[\d.e-]+\n/);
    await downloads(page, "history-loss", "map-loss-and-objective", /^epoch,loss\n1,[\d.]+\n/);
    assert.deepEqual(await page.evaluate(() => roundTicks([0, 0.0037])), { tickvals: [0, 0.001, 0.002, 0.003], ticktext: ["0", "1e−3", "2e−3", "3e−3"] });
    assert.equal(await page.locator(".sketch svg text[font-size=\"13\"]").filter({ hasText: /^[12]$/ }).count(), 2, "both terms stand on the sketch");
  },
});
await check("time", {
  plots: [...training, "field-0-0-profile", "field-0-0-profiles", "field-0-0-prediction", "estimated-0-0"],
  more: (page) => slides(page, "field-0-0-profile", "field-0-0-profile", "y"),
});
await check("solved", {
  plots: ["history-loss", "field-0-0-prediction", "estimated-0-0", "residual-0-3", "points-0"],
  more: async (page) => {
    const text = await page.locator("#report").innerText();
    assert.match(text, /Solved in one step for each of 3 windows of time by 60 sin features of u in each of 4 parts/);
    assert.match(text, /3 planes between parts\s+u, ux go on/);
    assert.doesNotMatch(text, /multiplier λ|penalty μ|No multiplier ever moved|strategy|epoch \d/, "what a solve does not have");
    for (const plot of ["multipliers", "penalties", "rate"]) assert.equal(await page.locator(`[data-plot="history-${plot}"]`).count(), 0);
    assert.equal(await page.locator(".sketch line:not([stroke-dasharray])[stroke-width='1']").count(), 3, "planes between parts");
    assert.equal(await page.locator(".sketch line[stroke-dasharray]").count(), 2, "ends of windows");
  },
});
await check("frames", {
  plots: [...training, "field-0-0-prediction", "field-0-0-snapshot-2", "field-0-0-contours", "multipliers-0-0", "windows-0-losses",
          "windows-0-duals"],
  more: (page) => slides(page, "field-0-0-frames", "field-0-0-prediction", "z"),
});
await check("flow", {
  plots: [...training, "vectors-0-0", "field-0-0-prediction", "field-0-1-prediction", "estimated-0-0", "estimated-0-1"],
  more: async (page) => {
    // The streamlines of a rotation are circles around its centre.
    const [lines, drift] = await page.evaluate(() => {
      const axis = Array.from({ length: 41 }, (_, i) => i / 20 - 1), nodes = axis.flatMap((y) => axis.map((x) => [x, y]));
      const found = streamlines(axis, axis, Float32Array.from(nodes, ([, y]) => -y), Float32Array.from(nodes, ([x]) => x));
      const radii = found.map(([x, y]) => x.map((value, i) => Math.hypot(value, y[i])));
      return [found.length, Math.max(...radii.map((one) => Math.max(...one) - Math.min(...one)))];
    });
    assert.ok(lines > 10, `${lines} streamlines`);
    assert.ok(drift < 0.01, `a circle drifts by ${drift}`);
  },
});
await check("body", {
  plots: [...training, "field-0-0-prediction", "residual-0-0"],
  more: async (page) => {
    const canvas = page.locator("canvas.body"), pixels = () => canvas.evaluate((it) => it.toDataURL());
    const reading = () => page.locator(".solid output").last().innerText();
    await canvas.scrollIntoViewIfNeeded();
    const seen = new Set([await pixels()]);
    const changes = async (what, act) => {
      await act();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      seen.add(await pixels());
      assert.equal(seen.size, ++changed, `${what} changes the picture`);
    };
    let changed = 1;
    const box = await canvas.boundingBox(), middle = [box.x + (box.width - 70) / 2, box.y + box.height / 2];
    // The sheet's middle shows the middle of the cube: the wall of the bubble, half of which is cut away.
    await page.mouse.move(...middle);
    const [, x, , , value] = (await reading()).match(/x = (\S+), y = (\S+), z = (\S+): u = (\S+)/).map(Number);
    assert.ok(x < 0 && x > -0.6, `x = ${x} on the wall of the bubble`);
    assert.ok(Number.isFinite(value), await reading());
    await changes("turning by the pointer", async () => { await page.mouse.down(); await page.mouse.move(middle[0] + 60, middle[1] + 20, { steps: 3 }); await page.mouse.up(); });
    await changes("turning by a key", () => canvas.press("ArrowLeft"));
    await changes("a larger view", () => canvas.press("+"));
    await changes("another place of the cut", () => page.locator('[data-slider="body-0-0-cut"]').fill("0.8"));
    await changes("another cut", () => page.getByLabel("cut", { exact: true }).selectOption("2"));
    await changes("no cut", () => page.getByLabel("cut", { exact: true }).selectOption("-1"));
    await changes("the error", () => page.getByLabel("shows").selectOption("error"));
    for (const [button, name, begin] of [["PNG", "body-u-body.png", /^.PNG/], ["SVG", "body-u-body.svg", /^<svg/], ["CSV", "body-u-body.csv", /^x,y,z,u,\|error\|\n-?\d/]]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".solid").getByRole("button", { name: button }).click()]);
      assert.equal(file.suggestedFilename(), name);
      assert.match(readFileSync(await file.path(), "latin1"), begin, name);
    }
    assert.equal(await page.evaluate(() => {
      // A plane cuts a cube with a hole in two closed curves, one around the other.
      const { vertices, facets } = bodyValues(shown[0], shown[0].bodies[0]);
      return cutSurface(vertices, facets, vertices, 1, 0.1).curves.length;
    }), 2, "the rim of the cube and that of the hole");
  },
});
await check("trials", {
  plots: training,
  more: async (page) => {
    const lines = () => page.evaluate(() => document.querySelector('[data-plot="history-loss"]').data.length);
    assert.equal(await lines(), 6, "a mean and two edges for loss and objective");
    await page.getByLabel("single trials").check();
    assert.equal(await lines(), 10, "five trials of loss and objective");
    await page.getByLabel("over seconds").check();
    await page.getByLabel("logarithmic x axis").check();
    await page.getByLabel("single trials").uncheck();
    await page.getByLabel("over seconds").uncheck();
    await page.getByLabel("logarithmic x axis").uncheck();
  },
});
await check("inverse", {
  plots: [...training, "history-scalars", "field-0-1-curve", "measured-0-0"],
  more: async (page) => {
    assert.match(await page.locator("#report").innerText(), /inferred parameter/);
    const names = await page.evaluate(() => document.querySelector('[data-plot="history-scalars"]').data.map((trace) => trace.name));
    assert.ok(names.includes("nu: truth") && names.includes("nu: ± standard error"), names.join());
    const band = await page.evaluate(() => document.querySelector('[data-plot="history-scalars"]').data.find((trace) => trace.fill));
    assert.ok(band.x.length > 4 && band.x.length <= 51 && band.y.every(Number.isFinite), `a band over ${band.x.length} epochs`);
    // Units of the file stand on axes, colour bars and sliders, in what the pointer reads and in tables.
    const map = await page.evaluate(() => { const { layout, data } = document.querySelector('[data-plot="field-0-0-prediction"]');
      return [layout.xaxis.title.text, layout.yaxis.title.text, data[0].colorbar.title.text, data[0].hovertemplate]; });
    assert.deepEqual(map, ["x (m)", "t (s)", "u (K)", "x = %{x:.4~g} m<br>t = %{y:.4~g} s<br>u = %{z:.4~g} K<extra></extra>"]);
    assert.match(await page.locator("#report").innerText(), /nu\s+0\.2\d+ ± \S+ m²\/s\s+0\.25 m²\/s/);
    assert.match(await page.locator('.slide:has([data-slider="field-0-0-profile"]) output').innerText(), /^t = \S+ s$/);
    const hover = await page.evaluate(() => [...document.querySelectorAll("[data-plot]")].flatMap((area) => area.data.filter((trace) =>
      !trace.hovertemplate && trace.hoverinfo !== "skip" && !trace.fill).map((trace) => `${area.dataset.plot}: ${trace.name}`)));
    assert.deepEqual(hover, [], "what the pointer reads has names");
  },
});
await check("odd-names", {
  plots: training,
  more: async (page) => {
    assert.match(await page.locator("h1").innerText(), /<script>alert\(1\)<\/script>/, "a title is text");
    assert.equal(await page.locator("#report script, #report img, #report b").count(), 0, "and nothing else");
  },
});
await check("long-title", {
  plots: training,
  more: async (page) => {
    assert.equal(await page.locator("h1").evaluate((title) => title.textContent), "<b>".repeat(3400));
    assert.equal(await page.locator("#report b").count(), 0);
  },
});
// Dark: the ground and the plots follow, and so does a change while the page is open.
if (!only || only.includes("dark")) {
  const { page, problems } = await open(`file://${work}/pages/map.html`, 1400, () => false, "dark");
  await drawEverything(page);
  const dark = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor,
                                          document.querySelector('[data-plot="field-0-0-prediction"]').layout.paper_bgcolor]);
  assert.deepEqual(await dark(), ["rgb(18, 22, 28)", "#12161c"], "dark ground of page and plots");
  if (axe) assert.deepEqual(await accessibilityFaults(page, axe), [], "dark: accessibility");
  if (screenshots) await page.screenshot({ path: `${work}/pages/map-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction(() => theme === LIGHT);  // the browser tells of it when it has the time
  await drawEverything(page);
  assert.deepEqual(await dark(), ["rgb(255, 255, 255)", "#ffffff"], "and light again");
  assert.deepEqual(problems, [], "dark: console and network");
  await page.close();
  console.log("ok dark");
}
// On paper: no buttons, and tables that are not cut off.
if (!only || only.includes("print")) {
  const { page, problems } = await open(`file://${work}/pages/inverse.html`, 720);
  await drawEverything(page);
  await page.emulateMedia({ media: "print" });
  const cut = () => page.evaluate(() => [...document.querySelectorAll(".table")].filter((it) => it.scrollWidth > it.clientWidth + 1).length);
  assert.equal(await cut(), 0, "tables that are cut off");
  for (const what of [".modebar", ".controls", ".contents", ".slide input"])
    assert.equal(await page.locator(what).filter({ visible: true }).count(), 0, `${what} on paper`);
  assert.ok((await page.pdf()).length > 1e5, "plots on paper");
  assert.deepEqual(problems, [], "print: console and network");
  await page.close();
  console.log("ok print");
}
await check("race", {
  plots: ["race"],
  sections: "others",
  more: async (page) => {
    assert.match(await page.locator("h1").innerText(), /^Race: /);
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 4000, "a race fits on a few screens");
    assert.equal(await page.locator("table").first().locator("tbody tr").count(), 2, "two recipes are ranked");
    assert.equal(await page.evaluate(() => document.querySelector('[data-plot="race"]').data.filter((trace) => trace.fill).length), 2, "each with a band over its trials");
  },
});
await check("long", {
  plots: training,
  seconds: 3,
  more: async (page) => {
    await page.getByLabel("single trials").check();
    const largest = () => Math.max(...document.querySelector('[data-plot="history-loss"]').data.flatMap((t) => t.y));
    for (let turn = 0; turn < 100 && (await page.evaluate(largest)) !== 77; ++turn) await page.waitForTimeout(100);  // drawn after the box is checked
    assert.equal(await page.evaluate(largest), 77, "the spike of one epoch is still there");
    await page.getByLabel("single trials").uncheck();
  },
});
assert.ok(statSync(`${work}/pages/long.html`).size < 10e6, "5 trials of 100,000 epochs: less than 10 MB");
await check("no-plots", {
  plots: [],
  more: async (page) => {
    assert.match(await page.locator(".notice").innerText(), /built without plotly\.js.*build again with a network/s);
    assert.ok((await page.locator("table").count()) >= 5, "tables instead");
  },
});
await check("comparison", {
  plots: [...training, "compared-0", "field-0-0-curve", "field-1-0-curve"],
  more: async (page) => {
    const text = await page.locator("#report").innerText();
    assert.match(text, /2 runs side by side/);
    assert.equal(await page.locator("h2[id^=problem]").count(), 1, "both have the same problem");
    assert.match(text, /runs\/curve-again/);
    assert.match(await page.locator(".contents").innerText(), /^curve\s+curve-again\s+Solution: curve\s/, "the contents stand before the verdicts");
    const names = await page.evaluate(() => document.querySelector('[data-plot="history-loss"]').data.map((trace) => trace.name));
    assert.deepEqual(names, ["curve: loss", "curve: objective", "curve-again: loss", "curve-again: objective"]);
  },
});

if (only && !only.includes("live")) process.exit(0);
// The live page: its address is in the run's log; it must advance while the run trains.
const log = `${work}/runs/live.log`;
/// Waits for a state; every wait here has the time of a busy machine.
async function until(reached) {
  for (let i = 0; i < 900 && !reached(); ++i) await new Promise((resolve) => setTimeout(resolve, 200));
}
/// The text of the log once it has what is looked for.
async function logWith(pattern) {
  const text = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  await until(() => pattern.test(text()));
  return text();
}
/// Keeps the page as it is: its next question waits until what is given back is called. A page has one question at a time, so
/// that none is on its way any more when one is held.
async function heldStill(page) {
  const held = [];
  let holding = true;
  await page.route("**/data.json*", (route) => (holding ? held.push(route) : route.continue()));
  await until(() => held.length > 0);
  return async () => { holding = false; await Promise.all(held.map((route) => route.continue())); };
}
const addressOf = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/;
const address = ((await logWith(addressOf)).match(addressOf) ?? [null])[0];
assert.ok(address, "the run says where its live page is");
const origin = new URL(address).origin;
for (const path of ["/", "/data.json", "/?token=guess"])
  assert.equal((await fetch(origin + path)).status, 403, `${path} without the token`);
const live = await open(address, 1400, (url) => url.startsWith(origin));
/// The last epoch in the plot of the loss once it is later than `epoch`.
async function epochAfter(epoch) {
  const found = await live.page.waitForFunction((x) => {
    const area = document.querySelector('[data-plot="history-loss"]');
    area?.scrollIntoView();  // what is above it grows, and what is out of view is not drawn
    const drawn = area?.querySelector("svg.main-svg") && area.data[0].x.at(-1);
    return drawn > x ? drawn : null;
  }, epoch);
  return found.jsonValue();
}
const first = await epochAfter(0);
let last = first;
const advances = [];
for (let i = 0; i < 3; ++i) {
  const begin = Date.now();
  last = await epochAfter(last);
  advances.push((Date.now() - begin) / 1000);
}
// A question or two without an answer are borne.
await live.page.route("**/data.json*", (route) => route.abort(), { times: 2 });
await until(() => live.problems.length >= 2);
last = await epochAfter(last);
assert.deepEqual(live.problems.splice(0).map((problem) => /ERR_FAILED/.test(problem)), [true, true], "two questions were lost");
await live.page.evaluate(() => window.scrollTo(0, 0));
await live.page.waitForSelector('[data-plot="field-0-0-prediction"] svg.main-svg');  // … and so does the solution
const field = await picture(live.page, "field-0-0-prediction", "z");
await live.page.waitForFunction((old) => JSON.stringify(document.querySelector('[data-plot="field-0-0-prediction"]').data[0].z) !== old, field);
// The error so far: an estimate of a checkpoint, with what it is worth.
await live.page.waitForFunction(() => /Estimated error at epoch \d+/.test(document.querySelector(".notice.live")?.innerText));
const release = await heldStill(live.page);
assert.match(await live.page.locator(".notice.live").innerText(), /Estimated error at epoch \d+:.*\bu\b.*trusted/s);
for (const width of screenshots ? [1400, 500] : []) {
  await live.page.setViewportSize({ width, height: 900 });
  await live.page.screenshot({ path: `${work}/pages/live-${width}.png`, fullPage: true });
}
if (axe) assert.deepEqual(await accessibilityFaults(live.page, axe), [], "live page: accessibility");
assert.match(await live.page.locator(".notice.live").innerText(), /In training.*%.*epoch/s, "how far it is");
assert.equal(await live.page.locator("[role=progressbar]").count(), 1);
assert.doesNotMatch(await live.page.locator("#report").innerText(), /Look closer|was killed[^.]*verdict/, "no verdict while it trains");
await live.page.evaluate(() => render({ ...current, story: ["attempt 1: features", "attempt 1: estimated error 2.0e-05 <b>"] }));
assert.match(await live.page.locator(".notice.live").first().innerText(), /The search so far.*attempt 1: estimated error 2.0e-05 <b>/s, "decisions of a search");
await live.page.evaluate(() => render(current));
await live.page.setViewportSize({ width: 1400, height: 900 });
await release();
last = await epochAfter(last);
await live.page.getByRole("button", { name: "stop the run" }).click();
await live.page.waitForFunction(() => /The run has ended/.test(document.querySelector(".notice.live")?.innerText || ""));
const link = live.page.getByRole("link", { name: "Open its report" });
await link.waitFor();
if (screenshots) await live.page.screenshot({ path: `${work}/pages/live-ended-1400.png`, fullPage: true });
assert.ok(await live.page.locator(".verdict .headline").innerText(), "a verdict after the end");
assert.match(await logWith(/go on with `pecann resume/), /stopped; go on with `pecann resume/, "the run ended as it does after Ctrl-C");
const [copy] = await Promise.all([live.page.context().waitForEvent("page"), link.click()]);
await copy.waitForSelector("#report h2");
assert.equal(await copy.locator("h1").innerText(), await live.page.locator("h1").innerText(), "the report opens without its server");
assert.deepEqual(live.problems, [], "live page: console and network");
console.log(`ok live (epoch ${first} to ${last}, steps of ${advances.map((s) => s.toFixed(1)).join(", ")} s)`);
await browser.close();
