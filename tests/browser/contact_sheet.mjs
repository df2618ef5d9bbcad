// The pages of tools/contact_sheet: what is wrong with them, and all of them in one picture.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { drawEverything, launch, open, overflow, plots } from "./look.mjs";

const [work, playwright] = process.argv.slice(2);
const browser = await launch(playwright);
const names = readdirSync(`${work}/pages`).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5));
const tallest = 4200;  // pixels of a page that are shown
let faults = 0;
const figures = [];
for (const name of names) {
  const { page, problems } = await open(`file://${work}/pages/${name}.html`, 1400);
  await drawEverything(page);
  const found = await plots(page);
  const text = await page.locator("#report").innerText();
  const wrong = [
    ...problems.map((problem) => `console: ${problem}`),
    ...found.empty.map((plot) => `no data in ${plot}`), ...found.undrawn.map((plot) => `not drawn: ${plot}`),
    ...(text.match(/[^\n]*\b(?:NaN|undefined|\[object)\b[^\n]*/g) || []).map((line) => `text: ${line.slice(0, 100)}`),
    ...((await overflow(page)) > 0 ? ["wider than 1400 pixels"] : []),
  ];
  faults += wrong.length;
  console.log(`${wrong.length === 0 ? "ok" : "FAULT"} ${name}: ${found.names.length} plots${wrong.map((one) => `\n    ${one}`).join("")}`);
  const height = Math.min(tallest, await page.evaluate(() => document.documentElement.scrollHeight));
  await page.screenshot({ path: `${work}/pages/${name}.png`, fullPage: true });
  await page.screenshot({ path: `${work}/pages/${name}.jpg`, fullPage: true, clip: { x: 0, y: 0, width: 1400, height }, type: "jpeg", quality: 70 });
  figures.push(`<figure><figcaption>${name}${wrong.length > 0 ? " ⚠" : ""}</figcaption><img src="data:image/jpeg;base64,${readFileSync(`${work}/pages/${name}.jpg`).toString("base64")}"></figure>`);
  await page.close();
}
writeFileSync(`${work}/sheet.html`, `<!DOCTYPE html><meta charset="utf-8"><title>contact sheet</title><style>body { margin: 12px; font: 14px sans-serif; columns: 8; column-gap: 10px }
figure { margin: 0 0 12px; break-inside: avoid; border: 1px solid #999 } img { width: 100%; display: block } figcaption { background: #eee; padding: 2px 6px }</style>${figures.join("\n")}`);
const sheet = await browser.newPage({ viewport: { width: 3200, height: 1000 } });
await sheet.goto(`file://${work}/sheet.html`);
await sheet.screenshot({ path: `${work}/sheet.png`, fullPage: true });
await browser.close();
console.log(`${names.length} pages, ${faults} faults; ${work}/sheet.png`);
process.exit(faults > 0 ? 1 : 0);
