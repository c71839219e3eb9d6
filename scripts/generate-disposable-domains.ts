// Generates the list of throwaway domains in public/ from its package.
import { writeFileSync } from "node:fs";
import { DISPOSABLE_LIST, disposableList } from "#scripts/lib/disposable-list.ts";

writeFileSync(DISPOSABLE_LIST, disposableList());
