import { join } from "node:path";
import { edit } from "#tests/support/fork/edit.ts";
import type { Switch } from "#tests/support/switched-off.ts";

/** Switches parts and features off in a clone. */
export function switchOff(folder: string, names: Switch[]): void {
  for (const name of names) {
    edit(join(folder, "app", "switches.ts"), (text) =>
      text.replace(`export const ${name} = true`, `export const ${name} = false`),
    );
  }
}
