import { readdirSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { type ScannedResponse, scan } from "#tests/support/observatory.ts";

const client = join(root, "build", "client");

/** URL paths of all static files. */
const files = readdirSync(client, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("_"))
  .map((entry) => join(entry.parentPath, entry.name).slice(client.length));

/** Other sites show the share picture, and email programs the pictures of emails. */
const isEmbedded = (path: string) => path === "/og.png" || path.startsWith("/email/");

test("other sites and email programs may show the pictures that are for them, and no other file", async ({ site }) => {
  const images = files.filter((path) => /\.(png|webp)$/.test(path));
  expect(images.filter(isEmbedded).length).toBeGreaterThan(3);
  for (const path of images) {
    const { status, headers } = await fetch(site.url + path);
    const policy = isEmbedded(path) ? "cross-origin" : "same-origin";
    expect([status, headers.get("Cross-Origin-Resource-Policy")], path).toEqual([200, policy]);
  }
});

test("over https, every page and file scores A+ under Mozilla's Observatory rules", slow, async () => {
  const site = await startSite({ https: true });
  try {
    expect(files.length).toBeGreaterThan(20);
    for (const path of [...paths, ...files, "/assets/no-such-file.js", "/api/signup"]) {
      const { losses, score } = scan(await get(site.url + path), { tls: true });
      expect(losses, path).toEqual([]);
      // A+ begins at 100.
      expect(score, path).toBeGreaterThanOrEqual(isEmbedded(path) ? 115 : 125);
    }
  } finally {
    await site.stop();
  }
});

test("without TLS, no page or file loses points under the rules that apply", slow, async ({ site }) => {
  for (const path of [...paths, ...files]) {
    const response = await fetch(site.url + path);
    const scanned = { url: response.url, headers: response.headers, body: await response.text() };
    expect(scan(scanned, { tls: false }).losses, path).toEqual([]);
  }
});

/** Wrangler's certificate is self-signed. */
const agent = new Agent({ rejectUnauthorized: false });

function get(url: string): Promise<ScannedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const headers = new Headers();
        for (const [name, values] of Object.entries(response.headersDistinct)) {
          for (const value of values ?? []) headers.append(name, value);
        }
        resolve({ url, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on("error", reject).end();
  });
}
