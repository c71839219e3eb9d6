import { join } from "node:path";
import { edit } from "#tests/support/fork/edit.ts";

/** The main colours of app/ui/theme.ts, in light and dark: those of coffee. */
const mainColours = {
  awning: ["#6b4226", "#d3a57e"],
  marigold: ["#c98b45", "#e0ae6c"],
  terracotta: ["#a63a3f", "#ea8a86"],
  paper: ["#faf5ef", "#1e1715"],
  ink: ["#33241c", "#f2e8dd"],
  line: ["#e3d5c5", "#43342c"],
};

/** Replaces the six main colours of a clone. */
export function recolour(folder: string): void {
  for (const [name, [light, dark]] of Object.entries(mainColours)) {
    edit(join(folder, "app", "ui", "theme.ts"), (text) =>
      text.replace(new RegExp(`(const ${name} = )\\[.*\\]`), `$1["${light}", "${dark}"]`),
    );
  }
}
