import { writeFileSync } from "node:fs";
import { DISPOSABLE_LIST, disposableList } from "#scripts/lib/disposable-list.ts";
import { readOptions } from "#scripts/lib/options.ts";

readOptions({
  command: "npm run generate:disposable-domains",
  summary: "Generates the list of throwaway domains in public/ from its package.",
  options: {},
});

const list = disposableList();
writeFileSync(DISPOSABLE_LIST, list);
console.log(`public/disposable-domains.txt: ${list.trimEnd().split("\n").length - 1} domains`);
