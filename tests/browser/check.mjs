// The pages of tests/browser/run in Chromium: no console error, no request, every plot has data, sliders move, nothing overflows.
import { createRequire } from "node:module";
import { existsSync, readFileSync, statSync } from "node:fs";
import assert from "node:assert/strict";

const work = process.argv[2];
const { chromium } = createRequire(`${work}/`)("playwright-core");
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"],
});

/// Opens an address; `problems` collects console errors, exceptions and requests for anything but `allowed`.
async function open(address, width, allowed = () => false) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const problems = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith("data:") && !url.startsWith("blob:") && !allowed(url)) problems.push(`request: ${url}`);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(address, { timeout: 180000 });
  await page.waitForSelector("#report h2");
  const { metrics } = await session.send("Performance.getMetrics");
  // Time of the page's own thread: a busy machine must not fail the test.
  return { page, problems, seconds: metrics.find((metric) => metric.name === "ThreadTime").value };
}

/// Names of plots, and of those whose traces hold no number.
async function plots(page) {
  return page.evaluate(() => {
    const flat = (values) => Array.from(values ?? []).flatMap((v) => (typeof v === "object" && v !== null ? Array.from(v) : [v]));
    const areas = [...document.querySelectorAll("[data-plot]")];
    const empty = areas.filter((area) => !area.data || area.data.length === 0 ||
      area.data.some((trace) => !flat(trace.z ?? trace.y).some((v) => Number.isFinite(v))));
    const undrawn = areas.filter((area) => !area.querySelector("svg.main-svg"));
    return { names: areas.map((a) => a.dataset.plot), empty: empty.map((a) => a.dataset.plot), undrawn: undrawn.map((a) => a.dataset.plot) };
  });
}

/// By how many pixels the page is wider than its window.
async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function check(name, expectations) {
  const address = `file://${work}/pages/${name}.html`;
  let slowest = 0;
  for (const width of [1400, 500]) {
    const { page, problems, seconds } = await open(address, width);
    const found = await plots(page);
    assert.deepEqual(problems, [], `${name}: console and network`);
    assert.deepEqual(found.empty, [], `${name}: plots without data`);
    assert.deepEqual(found.undrawn, [], `${name}: plots not drawn`);
    for (const wanted of expectations.plots) assert.ok(found.names.includes(wanted), `${name}: no plot ${wanted} in ${found.names}`);
    assert.ok((await overflow(page)) <= 0, `${name}: wider than ${width} pixels`);
    assert.ok(seconds < 3, `${name}: opened in ${seconds} s`);
    slowest = Math.max(slowest, seconds);
    if (expectations.more) await expectations.more(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: `${work}/pages/${name}-${width}.png`, fullPage: true });
    await page.close();
  }
  console.log(`ok ${name} (${(statSync(`${work}/pages/${name}.html`).size / 1e6).toFixed(1)} MB, ${slowest.toFixed(1)} s)`);
}

const picture = (page, plot, key) => page.evaluate(([p, k]) => JSON.stringify(document.querySelector(`[data-plot="${p}"]`).data[0][k]), [plot, key]);

/// Moves a slider to its start and checks that a plot follows; then lets it play.
async function slides(page, slider, plot, key) {
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

const training = ["loss", "constraints", "multipliers", "penalties", "errors", "rate"].map((key) => `history-${key}`);

await check("curve", { plots: [...training, "field-0-0-curve", "field-0-0-error", "points-0"] });
await check("map", { plots: [...training, "field-0-0-prediction", "field-0-0-reference", "field-0-0-error", "points-0"] });
await check("time", {
  plots: [...training, "field-0-0-profile", "field-0-0-profiles", "field-0-0-prediction"],
  more: (page) => slides(page, "field-0-0-profile", "field-0-0-profile", "y"),
});
await check("frames", {
  plots: [...training, "field-0-0-prediction", "field-0-0-snapshot-0", "multipliers-0-0"],
  more: (page) => slides(page, "field-0-0-frames", "field-0-0-prediction", "z"),
});
await check("trials", {
  plots: training,
  more: async (page) => {
    const lines = () => page.evaluate(() => document.querySelector('[data-plot="history-loss"]').data.length);
    assert.equal(await lines(), 6, "a mean and two edges for loss and objective");
    await page.getByLabel("single trials").check();
    assert.equal(await lines(), 6, "three trials of loss and objective");
    await page.getByLabel("over seconds").check();
    await page.getByLabel("logarithmic axis").check();
    await page.getByLabel("single trials").uncheck();
    await page.getByLabel("over seconds").uncheck();
    await page.getByLabel("logarithmic axis").uncheck();
  },
});
await check("inverse", {
  plots: [...training, "field-0-1-curve"],
  more: async (page) => assert.match(await page.locator("#report").innerText(), /inferred parameter/),
});
await check("odd-names", {
  plots: training,
  more: async (page) => {
    assert.match(await page.locator("h1").innerText(), /<script>alert\(1\)<\/script>/, "a title is text");
    assert.equal(await page.locator("#report script, #report img, #report b").count(), 0, "and nothing else");
  },
});
await check("comparison", {
  plots: [...training, "field-0-0-curve", "field-1-0-curve"],
  more: async (page) => {
    const text = await page.locator("#report").innerText();
    assert.match(text, /2 runs side by side/);
    assert.match(text, /runs\/curve-again/);
    const names = await page.evaluate(() => document.querySelector('[data-plot="history-loss"]').data.map((trace) => trace.name));
    assert.deepEqual(names, ["curve: loss", "curve: objective", "curve-again: loss", "curve-again: objective"]);
  },
});

// The live page: its address is in the run's log; it must advance while the run trains.
const log = `${work}/runs/live.log`;
let address = null;
for (let i = 0; i < 100 && !address; ++i) {
  address = existsSync(log) ? (readFileSync(log, "utf8").match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [null])[0] : null;
  if (!address) await new Promise((resolve) => setTimeout(resolve, 200));
}
assert.ok(address, "the run says where its live page is");
const live = await open(address, 1400, (url) => url.startsWith(address));
const last = () => live.page.evaluate(() => document.querySelector('[data-plot="history-loss"]').data[0].x.at(-1));
const first = await last();
await live.page.waitForFunction((x) => document.querySelector('[data-plot="history-loss"]').data[0].x.at(-1) > x, first, { timeout: 30000 });
assert.deepEqual(live.problems, [], "live page: console and network");
console.log(`ok live (epoch ${first} to ${await last()})`);
await browser.close();
