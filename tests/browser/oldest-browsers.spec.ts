import { readdirSync, readFileSync } from "node:fs";
import { SERVICE_WORKER_PATH } from "#app/pages/fair/browser/precache.ts";
import { root } from "#scripts/lib/commands.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { newApisIn } from "#tests/support/compat/new-apis.ts";
import { newMarkupIn } from "#tests/support/compat/new-markup.ts";
import { newStylesIn } from "#tests/support/compat/new-styles.ts";

/** The features in the table of docs/browsers.md, which says what happens without them. */
const documented = Array.from(
  readFileSync(`${root}/docs/browsers.md`, "utf8").matchAll(/^\| `([^`]+)`/gm),
  ([, name = ""]) => name,
);

/** The built scripts and stylesheets that pages load. */
function assets(extension: ".js" | ".css"): string[] {
  const folder = `${root}/build/client/assets`;
  const names = readdirSync(folder).filter((name) => name.endsWith(extension));
  return names.map((name) => readFileSync(`${folder}/${name}`, "utf8"));
}

test(
  "docs/browsers.md lists every feature that one of the oldest browsers lacks, and no others",
  slow,
  async ({ site }) => {
    const pages = await Promise.all(paths.map(async (path) => (await fetch(site.url + path)).text()));
    const contents = (tag: string) =>
      pages.flatMap((html) => Array.from(html.matchAll(new RegExp(`<${tag}\\b([^>]*)>(.*?)</${tag}>`, "gs"))));
    const scripts = contents("script").filter(
      ([, attributes]) => !/type="(?!module)[^"]*(?:json|rules)/.test(attributes ?? ""),
    );
    const found = [
      ...[...assets(".js"), ...scripts.map(([, , text = ""]) => text)].flatMap(newApisIn),
      ...[...assets(".css"), ...contents("style").map(([, , text = ""]) => text)].flatMap(newStylesIn),
      ...pages.flatMap(newMarkupIn),
    ];
    expect(scripts.length).toBeGreaterThan(pages.length);
    expect([...new Set(found)].sort()).toEqual(documented.sort());
  },
);

/** Called only where they are: Trusted Types, and how full storage is. */
const optionalAtFairs = ["createPolicy()", "createScriptURL()", "estimate()"];

test("the form at a fair calls no function that one of the oldest browsers lacks, except where it does without", async ({
  site,
}) => {
  needs("fair");
  for (const path of ["/fair/form.js", SERVICE_WORKER_PATH]) {
    const script = await (await fetch(site.url + path)).text();
    expect(script.length, path).toBeGreaterThan(1_000);
    const required = newApisIn(script).filter((name) => !optionalAtFairs.includes(name));
    expect(required, path).toEqual([]);
  }
});

test("newer functions are found in a minified script", () => {
  const script = `URL.parse("x");a.b.toWellFormed();new URLPattern;self.reportError(1);c.d.URL.canParse("");JSON.parse("1")`;
  expect(newApisIn(script)).toEqual(["URL.parse", "toWellFormed()", "URLPattern", "URL.canParse"]);
  expect(() => newApisIn("/[a--b]/v")).toThrow(SyntaxError);
});

test("newer styles and attributes are found", () => {
  const css =
    "@media (width>=1px){a:has(b){color:color-mix(in srgb,red,var(--x));height:1px}}@scope(a){b{field-sizing:content}}";
  expect(newStylesIn(css).sort()).toEqual([":has", "@scope", "color-mix()", "field-sizing"]);
  expect(newMarkupIn('<details class="a" name="b"><p popover="auto" id="c">')).toEqual(["<details name>", "<popover>"]);
});
