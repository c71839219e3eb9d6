import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, insertBelow, recipeCode } from "#tests/support/fork/edit.ts";

/** Adds the page `/faq` to a clone, as its CONTRIBUTING.md says. */
export function addPage(folder: string): void {
  const [record = "", page = ""] = recipeCode(folder, "Add a page");
  const app = join(folder, "app");
  mkdirSync(join(app, "pages", "faq"));
  writeFileSync(join(app, "pages", "faq", "page.ts"), record);
  writeFileSync(join(app, "routes", "faq.tsx"), page);
  insertBelow(
    join(app, "routes.ts"),
    '    route("/privacy", "routes/privacy.tsx"),',
    '    route("/faq", "routes/faq.tsx"),',
  );
  const links = join(app, "layout", "links.ts");
  insertBelow(
    links,
    'import { landingPage } from "#app/pages/landing/page.ts";',
    'import { faqPage } from "#app/pages/faq/page.ts";',
  );
  insertBelow(links, "  privacyPage,", "  faqPage,");
  format(folder);
}
