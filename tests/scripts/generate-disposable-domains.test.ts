import { readFileSync } from "node:fs";
import { isDisposableEmailDomain } from "disposable-email-domains-js";
import { expect, test } from "vitest";
import { relayDomains } from "#app/waitlist/abuse/relay-domains.ts";
import { DISPOSABLE_LIST, disposableList } from "#scripts/generate-disposable-domains.ts";

const list = readFileSync(DISPOSABLE_LIST, "utf8");

test("public/disposable-domains.txt matches its package (npm run generate:disposable-domains updates it)", () => {
  expect(list).toBe(disposableList());
});

test("each line after the first is a lower-case domain of the package", () => {
  const [comment, ...domains] = list.trimEnd().split("\n");
  expect(comment).toMatch(/^# disposable-email-domains-js [\d.]+, CC0-1\.0$/);
  expect(domains.length).toBeGreaterThan(5_000);
  expect(domains.filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))).toEqual([]);
  for (const known of ["mailinator.com", "yopmail.com", "guerrillamail.com"]) {
    expect(domains).toContain(known);
    expect(isDisposableEmailDomain(known)).toBe(true);
  }
});

test("it lists no large provider and no privacy relay", () => {
  const providers = [
    "gmail.com",
    "outlook.com",
    "yahoo.com",
    "icloud.com",
    "proton.me",
    "gmx.com",
    "mail.com",
    "aol.com",
  ];
  for (const domain of [...providers, ...relayDomains]) expect(list).not.toContain(`\n${domain}\n`);
});
