import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generatedSecrets, newSecret, replaceLinkSecret, saveSecrets } from "#scripts/deploy/settings-file.ts";
import { root } from "#scripts/lib/commands.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "waitlist-site-secrets-"));
  file = join(folder, "deploy.env");
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test("every secret is different, has 256 bits and needs no quoting", () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  expect(new Set(secrets).size).toBe(20);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
});

describe("saving", () => {
  const secrets = Object.fromEntries(generatedSecrets.map((name) => [name, `the-${name}`]));

  test("in a copy of the example replaces the empty values and changes nothing else", () => {
    const example = join(root, "deploy.env.example");
    cpSync(example, file);
    saveSecrets(file, secrets);
    let text = readFileSync(file, "utf8");
    for (const name of generatedSecrets) expect(text.match(RegExp(`^${name}=`, "gm"))).toHaveLength(1);
    for (const secret of Object.values(secrets)) text = text.replace(secret, "");
    expect(text).toBe(readFileSync(example, "utf8"));
  });

  test("creates a missing file, which only the owner can read", () => {
    saveSecrets(file, secrets);
    expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=the-LINK_SECRET\nHASH_KEY=the-HASH_KEY\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("one secret leaves the other as it is", () => {
    writeFileSync(file, "LINK_SECRET=mine\nA=1\n", { mode: 0o644 });
    saveSecrets(file, { HASH_KEY: "new" });
    expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=mine\nA=1\nHASH_KEY=new\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("a rotation", () => {
  test("drops the older previous secret and preserves all other lines", () => {
    writeFileSync(
      file,
      "# mine\nSITE_URL=https://market.test\nexport LINK_SECRET='current'\nLINK_SECRET_PREVIOUS=old\n\nA=1",
    );
    const rotated = replaceLinkSecret(file, {}, false);
    expect(rotated["LINK_SECRET_PREVIOUS"]).toBe("current");
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ SITE_URL: "https://market.test", A: "1", ...rotated });
    expect(readFileSync(file, "utf8")).toMatch(/^# mine\nSITE_URL=/);
  });

  test("never changes HASH_KEY", () => {
    writeFileSync(file, "HASH_KEY=the-key\nLINK_SECRET=current\n");
    for (let round = 0; round < 2; round += 1)
      expect(replaceLinkSecret(file, {}, false)).not.toHaveProperty("HASH_KEY");
    expect(parseEnv(readFileSync(file, "utf8"))["HASH_KEY"]).toBe("the-key");
    expect(readFileSync(file, "utf8")).not.toContain("current");
  });

  test("is refused while the environment sets a secret", () => {
    writeFileSync(file, "LINK_SECRET=current\n");
    expect(() => replaceLinkSecret(file, { LINK_SECRET: "current" }, false)).toThrow("because the environment sets");
    expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=current\n");
  });

  test("without a secret in the file fails with the reason and writes nothing", () => {
    writeFileSync(file, "LINK_SECRET=\nHASH_KEY=the-key\n");
    expect(() => replaceLinkSecret(file, {}, false)).toThrow("Cloudflare never shows a stored secret");
    expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=\nHASH_KEY=the-key\n");
  });
});

describe("revoking LINK_SECRET", () => {
  test("overwrites both secrets with one new one and preserves all other lines", () => {
    writeFileSync(file, "# mine\nHASH_KEY=the-key\nLINK_SECRET=leaked\nLINK_SECRET_PREVIOUS=old\n");
    const secrets = replaceLinkSecret(file, {}, true);
    expect(secrets["LINK_SECRET"]).toMatch(/^[\w-]{43}$/);
    expect(secrets["LINK_SECRET_PREVIOUS"]).toBe(secrets["LINK_SECRET"]);
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ HASH_KEY: "the-key", ...secrets });
    expect(readFileSync(file, "utf8")).toMatch(/^# mine\n/);
  });

  test("works without a file", () => {
    expect(Object.keys(replaceLinkSecret(null, {}, true))).toEqual(["LINK_SECRET_PREVIOUS", "LINK_SECRET"]);
  });

  test.each(["LINK_SECRET", "LINK_SECRET_PREVIOUS"])("is refused while the environment sets %s", (name) => {
    writeFileSync(file, "LINK_SECRET=leaked\n");
    expect(() => replaceLinkSecret(file, { [name]: "leaked" }, true)).toThrow(name);
    expect(readFileSync(file, "utf8")).toBe("LINK_SECRET=leaked\n");
  });
});
