import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readSettingsFile } from "#scripts/deploy/settings-file.ts";

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

test.each([0o644, 0o640, 0o604, 0o666])("a file with the mode %o becomes private, and one line says so", (mode) => {
  writeFileSync(file, "HASH_KEY=the-key\n");
  chmodSync(file, mode);
  expect(readSettingsFile(file)).toBe("HASH_KEY=the-key\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(warn.mock.calls).toEqual([["Other users of this machine had access to deploy.env. Now only you have."]]);
});

test.each([0o600, 0o400])("a private file with the mode %o stays as it is, without a word", (mode) => {
  writeFileSync(file, "HASH_KEY=the-key\n", { mode });
  expect(readSettingsFile(file)).toBe("HASH_KEY=the-key\n");
  expect(statSync(file).mode & 0o777).toBe(mode);
  expect(warn).not.toHaveBeenCalled();
});

test("a missing file is empty", () => {
  expect(readSettingsFile(file)).toBe("");
  expect(warn).not.toHaveBeenCalled();
});
