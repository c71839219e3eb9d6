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

/** Other sites show the share pictures, and email programs the pictures of emails. */
const isEmbedded = (path: string) => /^\/og(-friend)?\.png$/.test(path) || path.startsWith("/email/");

test("over https every page and file scores A+ under Mozilla's Observatory rules", slow, async () => {
  await using site = await startSite({ https: true });
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter(isEmbedded).length).toBeGreaterThan(3);
  for (const path of [...paths, ...files, "/assets/no-such-file.js", "/api/signup"]) {
    const response = await get(site.url + path);
    const { losses, score } = scan(response, { tls: true });
    expect(losses, path).toEqual([]);
    // A+ begins at 100.
    expect(score, path).toBeGreaterThanOrEqual(isEmbedded(path) ? 115 : 125);
    if (/\.(png|webp)$/.test(path)) {
      const policy = isEmbedded(path) ? "cross-origin" : "same-origin";
      expect(response.headers.get("Cross-Origin-Resource-Policy"), path).toBe(policy);
    }
    if (/^\/assets\/.*-[\w-]{8}\.\w+$/.test(path))
      expect(response.headers.get("Cache-Control"), path).toBe("public, max-age=31536000, immutable");
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
