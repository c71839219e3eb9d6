import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "#app/site.ts";
import { root } from "#scripts/lib/commands.ts";
import { edit, insertBelow, recipeCode } from "#tests/support/fork/edit.ts";
import type { Switch } from "#tests/support/switched-off.ts";

/** What a fork of another product switches off. */
export const unwanted: Switch[] = ["drawing", "blog"];

export const NEW_NAME = "Pitch & Brook";

/** Of another product: two with answers, and one for a short text. */
const questions: Question[] = [
  {
    key: "cuisine",
    label: "Cuisine",
    wording: "What do you cook, or like to eat?",
    answers: { grill: "From the grill", noodles: "Noodles", sweet: "Something sweet" },
  },
  { key: "region", label: "Region", wording: "Where are you?" },
  {
    key: "size",
    label: "Size",
    wording: "How large is your festival or kitchen?",
    answers: { small: "Small", large: "Large" },
  },
];

/** What turns a clone into another product's site, in this order: by the names in docs/make-it-yours.md. */
export const tasks: [name: string, carryOut: (folder: string) => void][] = [
  ["Words", rename],
  ["Colours", (folder) => recolour(folder)],
  ["Questions", (folder) => ask(folder, questions)],
  ["Parts and features off", (folder) => switchOff(folder, unwanted)],
  ["One more page", addPage],
  ["One more field in the form", addField],
  ["One more filter of the list", addFilter],
  ["One more email", addEmail],
];

/** The words of app/site.ts. */
function rename(folder: string): void {
  const host = {
    one: "an organiser",
    many: "organisers",
    role: "Festival organiser",
    label: "festival organisers",
    title: "Organisers",
  };
  const stallholder = {
    one: "a cook",
    many: "cooks",
    role: "Street cook",
    label: "street cooks",
    title: "Street Cooks",
  };
  edit(join(folder, "app", "site.ts"), (text) =>
    text
      .replace(/const name = ".*"/, `const name = "${NEW_NAME}"`)
      .replace(/tagline: ".*"/, 'tagline: "Street food for every festival"')
      .replace(/(const host = )\{[^}]*\}/, `$1${JSON.stringify(host)}`)
      .replace(/(const stallholder = )\{[^}]*\}/, `$1${JSON.stringify(stallholder)}`)
      .replace(/pioneer: .*/, 'pioneer: { one: "a Founder", many: "Founders" },')
      .replace(/(founder: .*) = null/, '$1 = { name: "Robin", note: "Come hungry." }')
      .replace(/(launchDate === null .*) ".*"/, '$1 "It opens in spring 2031."')
      .replace(/(launchDate.*) = ".*"/, '$1 = "2031-05-31"'),
  );
}

/** The main colours of coffee, each in light and dark. */
const coffee = {
  awning: ["#6b4226", "#d3a57e"],
  marigold: ["#c98b45", "#e0ae6c"],
  terracotta: ["#a63a3f", "#ea8a86"],
  paper: ["#faf5ef", "#1e1715"],
  ink: ["#33241c", "#f2e8dd"],
  line: ["#e3d5c5", "#43342c"],
};

/** Replaces main colours in app/ui/theme.ts. */
export function recolour(folder: string, colours: Record<string, string[]> = coffee): void {
  for (const [name, shades] of Object.entries(colours)) {
    edit(join(folder, "app", "ui", "theme.ts"), (text) =>
      text.replace(new RegExp(`(const ${name} = )\\[.*\\]`), `$1${JSON.stringify(shades)}`),
    );
  }
}

/** Gives a copy of the site other questions. */
export function ask(folder: string, list: readonly Question[]): void {
  edit(join(folder, "app", "site.ts"), (text) =>
    text.replace(/(export const questions: readonly Question\[\] = )\[.*?^\];/ms, `$1${JSON.stringify(list)};`),
  );
}

/** Switches parts and features off in a clone. */
export function switchOff(folder: string, names: Switch[]): void {
  for (const name of names) {
    edit(join(folder, "app", "switches.ts"), (text) =>
      text.replace(`export const ${name} = true`, `export const ${name} = false`),
    );
  }
}

/** The page `/faq`, as CONTRIBUTING.md says. */
function addPage(folder: string): void {
  const [record = "", page = "", feature = ""] = recipeCode(folder, "Add a page");
  const app = join(folder, "app");
  mkdirSync(join(app, "features", "faq"));
  writeFileSync(join(app, "features", "faq", "page.ts"), record);
  writeFileSync(join(app, "features", "faq", "faq.tsx"), page);
  writeFileSync(join(app, "features", "faq", "feature.ts"), feature);
  const features = join(app, "features.ts");
  insertBelow(features, 'features/fair/feature.ts";', 'import { faq } from "#app/features/faq/feature.ts";');
  insertBelow(features, "  legal,", "  faq,");
  const pages = join(app, "pages.ts");
  insertBelow(pages, 'features/landing/page.ts";', 'import { faqPage } from "#app/features/faq/page.ts";');
  insertBelow(pages, "  privacyPage,", "  faqPage,");
}

/** The field `town`, as CONTRIBUTING.md says. */
export function addField(folder: string): void {
  const [element = "", styles = ""] = recipeCode(folder, "Add a field to the sign-up form, or a column to the entry");
  const signUp = join(folder, "app", "waitlist", "sign-up");
  edit(join(signUp, "sign-up-form.tsx"), (text) =>
    text.replace(/\n( +)(<button className="button" type="submit" aria-)/, (_, indent, button) => {
      return `\n${element.replace(/^/gm, indent).trimEnd()}\n${indent}${button}`;
    }),
  );
  edit(join(signUp, "sign-up.css"), (text) => text.replace("/* A message moves nothing", `${styles}\n$&`));
  insertBelow(
    join(folder, "app", "waitlist", "entries", "entry-columns.server.ts"),
    '  referrer_host: "Referring site",',
    'town: "Town",',
  );
  const schema = join(folder, "app", "server", "db", "schema", "entries.server.ts");
  insertBelow(schema, "    referrer_host: text(),", "town: text(),");
  const kit = join(root, "node_modules", ".bin", "drizzle-kit");
  execFileSync(kit, ["generate", "--name", "entry_town"], { cwd: folder });
}

/** The filter `reminded`, as CONTRIBUTING.md says. */
function addFilter(folder: string): void {
  const [field = "", description = ""] = recipeCode(folder, "Add a filter to the owner's list");
  const file = join(folder, "app", "waitlist", "filter", "filters.server.ts");
  insertBelow(file, "  confirmation?: Confirmation | undefined;", field);
  edit(file, (text) => text.replace("  ...questions.map(answer),\n", `$&${description}`));
}

/** The email `launch`, as CONTRIBUTING.md says. */
function addEmail(folder: string): void {
  const [template = ""] = recipeCode(folder, "Add an email to subscribers");
  const app = join(folder, "app");
  writeFileSync(join(app, "email", "templates", "launch-email.server.ts"), template);
  const schema = join(app, "server", "db", "schema", "email.server.ts");
  edit(schema, (text) => text.replace(/(type EntryEmailKind = .*);/, '$1 | "launch";'));
  insertBelow(schema, '  "my-data-link": 1,', "launch: 1,");
  const render = join(app, "email", "render-email.server.ts");
  const own = 'import { launchEmail } from "#app/email/templates/launch-email.server.ts";';
  edit(render, (text) => text.replace("import * as ownerEmails", `${own}\n$&`));
  insertBelow(render, '  "my-data-link": entryEmails.myDataLinkEmail,', "launch: launchEmail,");
  insertBelow(join(app, "owner", "ui", "labels.ts"), '"my-data-link": "New link to the entry",', 'launch: "Launch",');
  const names = join(app, "waitlist", "my-data", "stored-data.server.ts");
  insertBelow(names, '  "my-data-link": "New link to your entry",', 'launch: "News of the launch",');
}
