// The page of a program that was built without plotly.js: without_plotly.mjs FROM TO
import { readFileSync, writeFileSync } from "node:fs";

const [from, to] = process.argv.slice(2);
const page = readFileSync(from, "utf8"), open = '<script type="text/plain" id="plotly">';
const begin = page.indexOf(open) + open.length;
const end = page.indexOf("</script>", begin);
if (end - begin < 1e6) throw new Error("the script that was found is too short to be plotly.js");
writeFileSync(to, page.slice(0, begin) + page.slice(end));
