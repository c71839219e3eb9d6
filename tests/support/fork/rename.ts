import { join } from "node:path";
import { edit } from "#tests/support/fork/edit.ts";

export const NEW_NAME = "Pitch & Brook";

/** Edits app/site.ts of a clone, as the owner of another product would. */
export function rename(folder: string): void {
  edit(join(folder, "app", "site.ts"), (text) =>
    text
      .replace(/const name = ".*"/, `const name = "${NEW_NAME}"`)
      .replace(/tagline: ".*"/, 'tagline: "Street food for every festival"')
      .replace(
        /const host = \{[^}]*\} as const;/,
        `const host = {
  one: "an organiser",
  many: "organisers",
  role: "Festival organiser",
  label: "festival organisers",
  title: "Organisers",
} as const;`,
      )
      .replace(
        /const stallholder = \{[^}]*\} as const;/,
        `const stallholder = {
  one: "a cook",
  many: "cooks",
  role: "Street cook",
  label: "street cooks",
  title: "Street Cooks",
} as const;`,
      )
      .replace(/pioneer: .*/, 'pioneer: { one: "a Founder", many: "Founders" },')
      .replace(/(founder: .*) = null/, '$1 = { name: "Robin", note: "Come hungry." }')
      .replace(/(launch: launchDate.*) ".*"/, '$1 "It opens in spring 2031."')
      .replace(/(launchDate.*) = ".*"/, '$1 = "2031-05-31"'),
  );
}
