import { readdirSync, readFileSync } from "node:fs";
import { fair } from "#app/switches.ts";

import { root } from "#scripts/lib/commands.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { nightly } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { newApisIn } from "#tests/support/compat/new-apis.ts";
import { newMarkupIn } from "#tests/support/compat/new-markup.ts";
import { newStylesIn } from "#tests/support/compat/new-styles.ts";

/** The features in the table of docs/browsers.md, which says what happens without them. */
const documented = Array.from(
  readFileSync(`${root}/docs/browsers.md`, "utf8").matchAll(/^\| `([^`]+)`/gm),
  ([, name = ""]) => name,
);

/** The form at fairs and its scripts, which the Worker serves. */
const fairPaths = ["/fair", "/fair/form.js", "/fair/service-worker.js"];

/** The built scripts and stylesheets that pages load. */
function assets(extension: ".js" | ".css"): string[] {
  const folder = `${root}/build/client/assets`;
  const names = readdirSync(folder).filter((name) => name.endsWith(extension));
  return names.map((name) => readFileSync(`${folder}/${name}`, "utf8"));
}

test(
  "docs/browsers.md lists every feature that one of the oldest browsers lacks, and no others",
  nightly,
  async ({ site }) => {
    const textOf = async (path: string) => (await fetch(site.url + path)).text();
    const pages = await Promise.all(paths.map(textOf));
    const [form = "", ...formScripts] = await Promise.all(fair ? fairPaths.map(textOf) : []);
    const contents = (tag: string) =>
      pages.flatMap((html) => Array.from(html.matchAll(new RegExp(`<${tag}\\b([^>]*)>(.*?)</${tag}>`, "gs"))));
    const scripts = contents("script").filter(
      ([, attributes]) => !/type="(?!module)[^"]*(?:json|rules)/.test(attributes ?? ""),
    );
    const found = [
      ...[...assets(".js"), ...formScripts, ...scripts.map(([, , text = ""]) => text)].flatMap(newApisIn),
      ...[...assets(".css"), ...contents("style").map(([, , text = ""]) => text)].flatMap(newStylesIn),
      ...[...pages, form].flatMap(newMarkupIn),
    ];
    expect(scripts.length).toBeGreaterThan(pages.length);
    expect([...new Set(found)].sort()).toEqual(documented.sort());
  },
);
