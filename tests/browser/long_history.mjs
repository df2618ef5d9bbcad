// Replaces the histories of a run's trials by those of 100,000 epochs: every epoch up to 10,000, then every tenth, with a spike.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const run = process.argv[2];
for (const trial of readdirSync(run).filter((name) => name.startsWith("trial-"))) {
  const file = `${run}/${trial}/history.csv`, seed = Number(trial.slice("trial-".length));
  const header = readFileSync(file, "utf8").split("\n")[0], names = header.split(",");
  const rows = [header];
  for (let epoch = 1; epoch <= 100000; epoch += epoch < 10000 ? 1 : 10) {
    const falling = (1 + 0.3 * seed * Math.sin(epoch * seed)) / epoch;
    rows.push(names.map((name) => {
      if (name === "epoch") return epoch;
      if (name === "seconds") return (1e-3 * epoch).toFixed(3);
      if (name === "learning_rate") return 1e-3;
      if (name === "evaluations" || name === "phase") return 1;
      if (name === "damping") return "";
      if (name.startsWith("error.") && epoch % 1000 !== 0) return "";
      return epoch === 54320 && seed === 2 && name === "loss" ? 77 : Math.abs(falling) + 1e-9;
    }).join(","));
  }
  writeFileSync(file, rows.join("\n") + "\n");
}
