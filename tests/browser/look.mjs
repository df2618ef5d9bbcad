// What scripts here do with a page of a run: open it in Chromium, and ask it about its plots and its layout.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let browser = null;

/// Starts Chromium by the package playwright-core in this folder.
export async function launch(playwright) {
  const { chromium } = require(playwright);
  browser = await chromium.launch({
    timeout: 180000,
    executablePath: "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
  });
  return browser;
}

/// Opens an address; `problems` collects console errors, exceptions and requests for anything but `allowed`.
export async function open(address, width, allowed = () => false, colorScheme = "light") {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const problems = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith("data:") && !url.startsWith("blob:") && !allowed(url)) problems.push(`request: ${url}`);
  });
  page.setDefaultTimeout(180000);  // machines may be busy
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(address, { timeout: 180000 });
  await page.waitForSelector("#report h2", { timeout: 180000 });
  const { metrics } = await session.send("Performance.getMetrics");
  // Time of the page's own thread: a busy machine must not fail the test.
  return { page, problems, seconds: metrics.find((metric) => metric.name === "ThreadTime").value };
}

/// Names of plots, and of those whose traces hold no number.
export async function plots(page) {
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
export async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/// Legends, titles of axes and the buttons of a plot must not lie over one another or over the curves, nor leave their plot.
export async function collisions(page) {
  return page.evaluate(() => [...document.querySelectorAll("[data-plot]")].flatMap((area) => {
    const box = (selector) => { const found = area.querySelector(selector); return found && found.getBoundingClientRect(); };
    const parts = { legend: box(".legend"), buttons: box(".modebar-group"), "x title": box(".xtitle"), "y title": box(".ytitle"),
                    curves: box(".nsewdrag"), "colour bar": box(".colorbar") };
    const names = Object.keys(parts).filter((name) => parts[name] && parts[name].width > 0);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const found = [], frame = area.getBoundingClientRect();
    names.forEach((a, i) => {
      for (const b of names.slice(i + 1)) if (meet(parts[a], parts[b])) found.push(`${area.dataset.plot}: ${a} over ${b}`);
      if (parts[a].left < frame.left - 1 || parts[a].right > frame.right + 1 || parts[a].bottom > frame.bottom + 1)
        found.push(`${area.dataset.plot}: ${a} leaves the plot`);
    });
    return found;
  }));
}

/// Plots are drawn as they come into view; before printing all of them are.
export const drawEverything = (page) => page.evaluate(() => { drawAll(true); });

/// Serious and critical faults that axe-core finds on a page; `axe` is the text of its script.
export async function accessibilityFaults(page, axe) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], elementRef: false });
    return violations.filter((fault) => ["serious", "critical"].includes(fault.impact))
      .map((fault) => `${fault.id}: ${fault.help} (${fault.nodes.length}×, ${fault.nodes[0].html.slice(0, 160)} ${fault.nodes[0].any.map((one) => one.message).join("; ").slice(0, 160)})`);
  });
}
