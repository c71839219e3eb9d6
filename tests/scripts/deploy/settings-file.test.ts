import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newSecret, readSettingsFile, replaceLinkSecret, saveSecrets } from "#scripts/deploy/settings-file.ts";
import { root } from "#scripts/lib/commands.ts";

let folder: string;
let file: string;
let warn: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "waitlist-site-settings-"));
  file = join(folder, "deploy.env");
  warn = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const write = (content: string) => writeFileSync(file, content, { mode: 0o600 });
const text = () => readFileSync(file, "utf8");
const mode = () => statSync(file).mode & 0o777;

test.each([0o644, 0o640, 0o604, 0o666])("a file with the mode %o becomes private, and one line says so", (open) => {
  write("HASH_KEY=the-key\n");
  chmodSync(file, open);
  expect(readSettingsFile(file)).toBe("HASH_KEY=the-key\n");
  expect(mode()).toBe(0o600);
  expect(warn.mock.calls).toEqual([["Other users of this machine had access to deploy.env. Now only you have."]]);
});

test("a private file stays as it is, without a word; a missing one is empty", () => {
  expect(readSettingsFile(file)).toBe("");
  write("HASH_KEY=the-key\n");
  chmodSync(file, 0o400);
  expect(readSettingsFile(file)).toBe("HASH_KEY=the-key\n");
  expect(mode()).toBe(0o400);
  expect(warn).not.toHaveBeenCalled();
});

test("every new secret is different, has 256 bits and needs no quoting", () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  expect(new Set(secrets).size).toBe(20);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
});

describe("saving secrets", () => {
  test("replaces the empty values of the example and changes nothing else", () => {
    const example = join(root, "deploy.env.example");
    cpSync(example, file);
    saveSecrets(file, { LINK_SECRET: "the-secret", HASH_KEY: "the-key" });
    expect(text()).toMatch(/^LINK_SECRET=the-secret$/m);
    expect(text()).toMatch(/^HASH_KEY=the-key$/m);
    expect(text().replace("the-secret", "").replace("the-key", "")).toBe(readFileSync(example, "utf8"));
  });

  test("creates a missing file, which only the owner can read, and leaves other lines as they are", () => {
    saveSecrets(file, { LINK_SECRET: "mine" });
    expect([text(), mode()]).toEqual(["LINK_SECRET=mine\n", 0o600]);
    saveSecrets(file, { HASH_KEY: "new" });
    expect([text(), mode()]).toEqual(["LINK_SECRET=mine\nHASH_KEY=new\n", 0o600]);
  });

  test("is refused in a file that would hide them in another value", () => {
    const hiding = `CONTROLLER_ADDRESS="1 Market Square\nLINK_SECRET=x\nTown"\n`;
    write(hiding);
    expect(() => saveSecrets(file, { LINK_SECRET: "new" })).toThrow("cannot be written");
    expect(text()).toBe(hiding);
  });

  test("of any characters: they are read again as they were, or refused", () => {
    const secret = fc.string({ unit: fc.constantFrom(..."ab'\"`#$\\ =\n\r\t{}é"), minLength: 1, maxLength: 12 });
    const check = fc.property(secret, (value) => {
      write("A=1\nLINK_SECRET=old\nB=2\n");
      let expected = value;
      try {
        saveSecrets(file, { LINK_SECRET: value });
      } catch {
        expected = "old";
      }
      expect(parseEnv(text())).toEqual({ A: "1", LINK_SECRET: expected, B: "2" });
    });
    fc.assert(check, { numRuns: 300 });
  });
});

describe("replacing LINK_SECRET", () => {
  test.each([
    "# mine\nSITE_URL=https://market.test\nexport LINK_SECRET='current'\nLINK_SECRET_PREVIOUS=old\n\nA=1",
    "HASH_KEY=the-key\nLINK_SECRET=current\n",
    `LINK_SECRET="before#after"\n`,
    `LINK_SECRET='it is "quoted" # so'\n`,
    `LINK_SECRET="$(id) $& $1"\n`,
    `LINK_SECRET="of two\nlines"\nA=1\n`,
    "LINK_SECRET=\nA=1\nLINK_SECRET=the-last-one-counts\n",
  ])("keeps the former one as the previous one, and all other lines: %j", (content) => {
    write(content);
    const { LINK_SECRET: former, ...others } = parseEnv(content);
    const rotated = replaceLinkSecret(file, {}, false);
    expect(rotated).toEqual({ LINK_SECRET_PREVIOUS: former, LINK_SECRET: expect.stringMatching(/^[\w-]{43}$/) });
    expect(parseEnv(text())).toEqual({ ...others, ...rotated });
  });

  test("overwrites both with one new one after a leak", () => {
    write("# mine\nHASH_KEY=the-key\nexport LINK_SECRET='leaked'\nLINK_SECRET_PREVIOUS=old\n");
    const { LINK_SECRET, LINK_SECRET_PREVIOUS } = replaceLinkSecret(file, {}, true);
    expect(LINK_SECRET).toMatch(/^[\w-]{43}$/);
    expect(LINK_SECRET_PREVIOUS).toBe(LINK_SECRET);
    expect(text()).toBe(`# mine\nHASH_KEY=the-key\nLINK_SECRET=${LINK_SECRET}\nLINK_SECRET_PREVIOUS=${LINK_SECRET}\n`);
    expect(Object.keys(replaceLinkSecret(null, {}, true))).toEqual(["LINK_SECRET_PREVIOUS", "LINK_SECRET"]);
  });

  test.each([
    ["the environment sets it", "LINK_SECRET=current\n", { LINK_SECRET: "current" }, false, "the environment sets"],
    ["the leaked one is set there", "LINK_SECRET=leaked\n", { LINK_SECRET_PREVIOUS: "leaked" }, true, "PREVIOUS"],
    ["the file has none", "LINK_SECRET=\nHASH_KEY=the-key\n", {}, false, "Cloudflare never shows a stored secret"],
  ])("is refused if %s, and writes nothing", (_, content, environment, hasLeaked, message) => {
    write(content);
    expect(() => replaceLinkSecret(file, environment, hasLeaked)).toThrow(message);
    expect(text()).toBe(content);
  });
});
