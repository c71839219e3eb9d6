// Fails if a page that React runs in browsers has text that a translation of the page would break, see lib/loose-text.ts.
import { globSync, readFileSync } from "node:fs";
import { looseText } from "#scripts/lib/loose-text.ts";

const problems = globSync("app/**/*.tsx")
  // Rendered by the server only.
  .filter((file) => !/\.server\.tsx$|^app\/pages\/fair\//.test(file))
  .toSorted()
  .flatMap((file) => looseText(file, readFileSync(file, "utf8")).map((line) => `${file}:${line}`));

if (problems.length > 0) {
  console.error(`Put each of these texts into an element of its own, such as <span>:\n${problems.join("\n")}`);
  process.exit(1);
}
