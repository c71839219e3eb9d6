import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README has at most 900 words", () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});

test("the README's button deploys the repository that its last line names, and no other line does", () => {
  const button = "https://deploy.workers.cloudflare.com";
  expect(readme).toContain(`\n[![Deploy to Cloudflare](${button}/button)][deploy]\n`);
  expect(readme.trimEnd().split("\n").at(-1)).toMatch(
    /^\[deploy\]: https:\/\/deploy\.workers\.cloudflare\.com\/\?url=https:\/\/github\.com\/[\w-]+\/[\w.-]+$/,
  );
  expect(readme.split(`${button}/?url=`)).toHaveLength(2);
});
