import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { edit, format, insertBelow, recipeCode } from "#tests/support/fork/edit.ts";

/** Adds the field `town` to a clone's sign-up form, as its CONTRIBUTING.md says. */
export function addField(folder: string): void {
  const [element = "", styles = ""] = recipeCode(folder, "Add a field to the sign-up form, or a column to the entry");
  const waitlist = join(folder, "app", "waitlist");
  edit(join(waitlist, "sign-up-form.tsx"), (text) =>
    text.replace(/\n( +)(<button className="button" type="submit" aria-)/, (_, indent, button) => {
      return `\n${element.replace(/^/gm, indent).trimEnd()}\n${indent}${button}`;
    }),
  );
  edit(join(waitlist, "sign-up.css"), (text) => text.replace("/* A message moves nothing", `${styles}\n$&`));
  insertBelow(join(waitlist, "entry-fields.server.ts"), '  referrer_host: "Referring site",', '  town: "Town",');
  insertBelow(
    join(folder, "app", "server", "db", "schema", "entries.server.ts"),
    "    referrer_host: text(),",
    "    town: text(),",
  );
  const kit = join(root, "node_modules", ".bin", "drizzle-kit");
  execFileSync(kit, ["generate", "--name", "entry_town"], { cwd: folder });
  format(folder);
}
