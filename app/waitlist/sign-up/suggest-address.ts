import { cleanAddress, normaliseEmail } from "#app/server/email-address.ts";

/** The name of the button that accepts a suggestion. It takes precedence over the address in the field. */
export const SUGGESTED_FIELD = "suggestedEmail";

/**
 * Domains of large providers that a misspelt domain is corrected to. Short names are left out: real domains such as
 * `ao.com` differ from `aol.com` by one letter.
 */
export const suggestedDomains = [
  "blueyonder.co.uk",
  "btinternet.com",
  "comcast.net",
  "fastmail.com",
  "gmail.com",
  "googlemail.com",
  "hotmail.co.uk",
  "hotmail.com",
  "icloud.com",
  "live.co.uk",
  "ntlworld.com",
  "outlook.com",
  "proton.me",
  "protonmail.com",
  "rocketmail.com",
  "talktalk.net",
  "tiscali.co.uk",
  "verizon.net",
  "virginmedia.com",
  "yahoo.co.uk",
  "yahoo.com",
];

/** Real providers whose domains differ by one letter from a suggested one. */
const realDomains = new Set(["cloud.com", "email.com", "mail.com", "tmail.com", "ymail.com"]);

/** Endings that are not top-level domains, and what was meant. */
const misspeltEndings: Record<string, string> = {
  ccom: "com",
  cmo: "com",
  coom: "com",
  comm: "com",
  con: "com",
  copm: "com",
  cpm: "com",
  ocm: "com",
  vom: "com",
  xom: "com",
  nett: "net",
  nte: "net",
  ogr: "org",
  orgg: "org",
  "co.ku": "co.uk",
  "co.uj": "co.uk",
  "co.yk": "co.uk",
};

/**
 * Suggests a correction of an address whose domain is probably misspelt: one letter off a large provider's domain, or
 * with an ending that does not exist.
 *
 * @param email what was typed as an address, which may be invalid
 * @returns a valid address; undefined if there is nothing to suggest
 */
export function suggestAddress(email: unknown): string | undefined {
  const [, localPart = "", domain = ""] = /^([^\s@]+)@([a-z0-9.,-]{3,64})$/i.exec(cleanAddress(email) ?? "") ?? [];
  const corrected = correctDomain(domain.toLowerCase());
  if (corrected === domain.toLowerCase()) return undefined;
  return normaliseEmail(`${localPart}@${corrected}`) ?? undefined;
}

function correctDomain(domain: string): string {
  if (realDomains.has(domain)) return domain;
  const ending = Object.keys(misspeltEndings).find((wrong) => domain.endsWith(`.${wrong}`));
  const corrected = ending === undefined ? domain : domain.slice(0, -ending.length) + misspeltEndings[ending];
  const ofProvider = providerDomain(corrected) ?? (domain.includes(".") ? undefined : providerDomain(`${domain}.com`));
  return ofProvider ?? corrected;
}

function providerDomain(domain: string): string | undefined {
  return suggestedDomains.includes(domain) ? domain : suggestedDomains.find((known) => isOneMistake(domain, known));
}

/** Whether one letter was inserted, left out or replaced, or two neighbouring letters were swapped. */
function isOneMistake(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false;
  let start = 0;
  while (start < typed.length && typed[start] === meant[start]) start += 1;
  let end = 0;
  const shorter = Math.min(typed.length, meant.length) - start;
  while (end < shorter && typed.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [was, is] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)];
  return Math.max(was.length, is.length) === 1 || (was.length === 2 && was[0] === is[1] && was[1] === is[0]);
}
