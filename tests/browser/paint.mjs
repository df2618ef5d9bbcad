// How long pages take to be seen: node tests/browser/paint.mjs PLAYWRIGHT PAGE.html…   (PLAYWRIGHT: build/browser/playwright-core/package)
//
// Medians of five openings: the first paint, which has all words, and the time until every plot in view is drawn, by the clock and thus for
// an idle machine; and the processor time of the page's own thread until then, which a busy machine lengthens less. Not part of
// tests/browser/run, for a busy machine tells nothing by the clock.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./look.mjs";

const [playwright, ...pages] = process.argv.slice(2);
const browser = await launch(resolve(playwright));
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const file of pages) {
  const first = [], full = [], processor = [];
  for (let i = 0; i < 5; ++i) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await page.goto(`file://${resolve(file)}`, { waitUntil: "commit" });
    await page.waitForFunction(() => {
      const seen = (area) => { const box = area.getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; };
      const areas = [...document.querySelectorAll("[data-plot]")];
      return document.querySelector("footer") && typeof Plotly !== "undefined" && areas.filter(seen).every((area) => area.querySelector("svg.main-svg"));
    }, null, { polling: 10 });
    const [painted, now] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.now()]);
    const { metrics } = await session.send("Performance.getMetrics");
    processor.push(metrics.find((metric) => metric.name === "ThreadTime").value);
    first.push(painted / 1000);
    full.push(now / 1000);
    await page.close();
  }
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, first paint ${median(first).toFixed(2)} s, plots in view ${median(full).toFixed(2)} s, its thread ${median(processor).toFixed(2)} s`);
}
await browser.close();
