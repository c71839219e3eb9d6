import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepLinkSecret, newLinkSecret, rotateLinkSecret } from "#scripts/deploy/link-secret.ts";
import { root } from "#scripts/lib/commands.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stallwright-secret-"));
  file = join(folder, "deploy.env");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("no two secrets are alike", () => expect(newLinkSecret()).not.toBe(newLinkSecret()));

test("in a copy of the example the secret takes the place of the empty line; all else stays", () => {
  const example = join(root, "deploy.env.example");
  cpSync(example, file);
  keepLinkSecret(file, "the-secret");
  const text = readFileSync(file, "utf8");
  expect(text.match(/^LINK_SECRET=/gm)).toHaveLength(1);
  expect(text.replace("the-secret", "")).toBe(readFileSync(example, "utf8"));
});

test("a file that is not there yet is made", () => {
  keepLinkSecret(file, "the-secret");
  expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=the-secret\n");
});

test("a rotation forgets the one before the last, and leaves the other lines and comments", () => {
  writeFileSync(
    file,
    "# mine\nSITE_URL=https://market.test\nexport LINK_SECRET='current'\nLINK_SECRET_PREVIOUS=old\n\nA=1",
  );
  const rotated = rotateLinkSecret(file);
  expect(rotated["LINK_SECRET_PREVIOUS"]).toBe("current");
  expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ SITE_URL: "https://market.test", A: "1", ...rotated });
  expect(readFileSync(file, "utf8")).toMatch(/^# mine\nSITE_URL=/);
});

test("without a secret in the file there is nothing to rotate: it says why, and writes nothing", () => {
  writeFileSync(file, "LINK_SECRET=\n");
  expect(() => rotateLinkSecret(file)).toThrow("Cloudflare shows a secret to nobody");
  expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=\n");
});
