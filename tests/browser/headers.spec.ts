import { readdirSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { observe, type ScannedAnswer } from "#tests/support/observatory.ts";

const client = join(root, "build", "client");

/** Everything that is served as a file. */
const files = readdirSync(client, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("_"))
  .map((entry) => join(entry.parentPath, entry.name).slice(client.length));

test("nothing is lost by Mozilla's rules over https, for pages and for every file: A+", async () => {
  const site = await startSite({ https: true });
  try {
    expect(files.length).toBeGreaterThan(20);
    for (const path of [...paths, ...files, "/assets/no-such-file.js", "/api/signup"]) {
      const answer = await get(site.url + path);
      const { losses, score } = observe(answer, { tls: true });
      expect(losses, path).toEqual([]);
      // A+ begins at 100.
      expect(score, path).toBeGreaterThanOrEqual(path === "/og.png" ? 115 : 125);
    }
  } finally {
    await site.stop();
  }
});

test("the same without TLS, for what says something there", async ({ site }) => {
  for (const path of [...paths, ...files]) {
    const response = await fetch(site.url + path);
    const answer = { url: response.url, headers: response.headers, body: await response.text() };
    expect(observe(answer, { tls: false }).losses, path).toEqual([]);
  }
});

/** Wrangler's certificate is its own, which nobody has to trust. */
const agent = new Agent({ rejectUnauthorized: false });

function get(url: string): Promise<ScannedAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (response) => {
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
    asked.on("error", reject).end();
  });
}
