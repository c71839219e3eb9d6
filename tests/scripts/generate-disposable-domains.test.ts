import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DISPOSABLE_LIST, disposableList } from "#scripts/generate-disposable-domains.ts";

const list = readFileSync(DISPOSABLE_LIST, "utf8");

test("public/disposable-domains.txt matches its package (npm run generate:disposable-domains updates it)", () => {
  expect(list).toBe(disposableList());
});

test("it lists thousands of domains, and no large provider or privacy relay", () => {
  const [comment, ...domains] = list.trimEnd().split("\n");
  expect(comment).toMatch(/^# disposable-email-domains-js [\d.]+, CC0-1\.0$/);
  expect(domains.length).toBeGreaterThan(5_000);
  expect(domains.filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))).toEqual([]);
  expect(domains).toEqual(expect.arrayContaining(["mailinator.com", "yopmail.com", "guerrillamail.com"]));
  const providers = "gmail.com outlook.com yahoo.com icloud.com proton.me gmx.com mail.com aol.com".split(" ");
  const relays = ["privaterelay.appleid.com", "duck.com", "mozmail.com"];
  expect(domains.filter((domain) => [...providers, ...relays].includes(domain))).toEqual([]);
});
