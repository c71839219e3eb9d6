import { letters } from "#app/switches.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

for (const path of [...paths, "/privacy?cookies=settings"]) {
  test(`${path} is valid HTML`, slowUnless(path === "/"), async ({ request, site }) => {
    const html = await (await request.get(`${site.url}${path}`)).text();
    expect(await htmlProblems(html)).toEqual([]);
  });
}

test("responses to a form sent without JavaScript are valid HTML", async ({ request, site }) => {
  for (const email of ["markup@example.com", "markup@example.com", "invalid"]) {
    const response = await request.post(site.url, { form: { email, source: "landing_page" } });
    expect(await htmlProblems(await response.text())).toEqual([]);
  }
});

test("every internal link, anchor and asset resolves", async ({ request, site }) => {
  const seen = new Map<string, string>();
  // The letters are linked once there are some, which tests/built/proof.test.ts shows.
  const starts = letters ? ["/", "/letters"] : ["/"];
  const queue = starts.map((path) => ({ url: site.url + path, from: "the start" }));
  const broken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { url, from } = next;
    const { origin, href, hash } = new URL(url);
    const target = href.slice(0, href.length - hash.length);
    if (origin !== site.url) continue;
    if (!seen.has(target)) {
      const response = await request.get(target, { maxRedirects: 0 });
      if (response.status() !== 200) broken.push(`${target} is ${response.status()}, linked from ${from}`);
      const type = response.headers()["content-type"] ?? "";
      const body = /html|css|javascript|json|xml|text/.test(type) ? await response.text() : "";
      seen.set(target, body);
      for (const link of linksIn(type, body)) queue.push({ url: new URL(link, target).href, from: target });
    }
    const anchor = hash.slice(1);
    if (anchor !== "" && !seen.get(target)?.includes(`id="${anchor}"`))
      broken.push(`${url} has no such anchor, linked from ${from}`);
  }
  expect(broken).toEqual([]);
  for (const path of paths.slice(0, -1)) expect([...seen.keys()]).toContain(`${site.url}${path}`);
});

const HTML_LINKS = [/\s(?:href|src|action)="([^"]+)"/g, /\scontent="(https?:[^"]+)"/g];
const CSS_LINKS = [/url\(["']?([^)"']+)["']?\)/g];
const FILE_NAMES = [/"(\/assets\/[^"]+|\/[\w-]+\.(?:png|svg|ico|webmanifest|woff2))"/g];

/** URLs in HTML attributes and in CSS, and paths of the site's files in scripts and manifests. */
function linksIn(type: string, text: string): string[] {
  const patterns = type.includes("html") ? HTML_LINKS : type.includes("css") ? CSS_LINKS : FILE_NAMES;
  const found = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, link]) => link ?? ""));
  return found.map((link) => link.replaceAll("&amp;", "&")).filter((link) => /^(\/|#|https?:)/.test(link));
}
