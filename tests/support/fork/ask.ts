import { join } from "node:path";
import type { Question } from "#app/site.ts";
import { edit } from "#tests/support/fork/edit.ts";

/** Gives a copy of the site other questions. */
export function ask(folder: string, questions: readonly Question[]): void {
  edit(join(folder, "app", "site.ts"), (text) =>
    text.replace(/(export const questions: readonly Question\[\] = )\[.*?^\];/ms, `$1${JSON.stringify(questions)};`),
  );
}
