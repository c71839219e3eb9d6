import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newLinkSecret, rotateLinkSecret, saveLinkSecret } from "#scripts/deploy/link-secret.ts";
import { root } from "#scripts/lib/commands.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stallwright-secret-"));
  file = join(folder, "deploy.env");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("every secret is different", () => expect(newLinkSecret()).not.toBe(newLinkSecret()));

test("in a copy of the example the secret replaces the empty value and nothing else changes", () => {
  const example = join(root, "deploy.env.example");
  cpSync(example, file);
  saveLinkSecret(file, "the-secret");
  const text = readFileSync(file, "utf8");
  expect(text.match(/^LINK_SECRET=/gm)).toHaveLength(1);
  expect(text.replace("the-secret", "")).toBe(readFileSync(example, "utf8"));
});

test("a missing file is created", () => {
  saveLinkSecret(file, "the-secret");
  expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=the-secret\n");
});

test("a rotation drops the older previous secret and preserves all other lines", () => {
  writeFileSync(
    file,
    "# mine\nSITE_URL=https://market.test\nexport LINK_SECRET='current'\nLINK_SECRET_PREVIOUS=old\n\nA=1",
  );
  const rotated = rotateLinkSecret(file);
  expect(rotated["LINK_SECRET_PREVIOUS"]).toBe("current");
  expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ SITE_URL: "https://market.test", A: "1", ...rotated });
  expect(readFileSync(file, "utf8")).toMatch(/^# mine\nSITE_URL=/);
});

test("without a secret in the file a rotation fails with the reason and writes nothing", () => {
  writeFileSync(file, "LINK_SECRET=\n");
  expect(() => rotateLinkSecret(file)).toThrow("Cloudflare never shows a stored secret");
  expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=\n");
});
