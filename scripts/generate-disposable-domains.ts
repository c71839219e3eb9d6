// Generates public/disposable-domains.txt from the disposable-email-domains-js package: npm run generate:disposable-domains
import { writeFileSync } from "node:fs";
import { DISPOSABLE_LIST, disposableList } from "#scripts/lib/disposable-list.ts";

const list = disposableList();
writeFileSync(DISPOSABLE_LIST, list);
console.log(`public/disposable-domains.txt: ${list.trimEnd().split("\n").length - 1} domains`);
