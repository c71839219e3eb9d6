import { run } from "@zootools/email-spell-checker";
import { normaliseEmail } from "#app/server/email-address.ts";

/**
 * Domains of large providers that a misspelt domain is corrected to. Short names are left out: real domains such as
 * `ao.com` differ from `aol.com` by one letter.
 */
const suggestedDomains = [
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
 * @param typed what was typed as an address, which may be invalid
 * @returns a valid address; undefined if there is nothing to suggest
 */
export function suggestAddress(typed: unknown): string | undefined {
  if (typeof typed !== "string") return undefined;
  const [, localPart = "", domain = ""] = /^ *([^\s@]+)@([a-z0-9.,-]{3,64}) *$/i.exec(typed) ?? [];
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

/** The provider's domain that a domain is, or is one letter away from. */
function providerDomain(domain: string): string | undefined {
  if (suggestedDomains.includes(domain)) return domain;
  // Every sign-up comes here, and comparing letters is slow.
  const domains = suggestedDomains.filter(({ length }) => Math.abs(length - domain.length) <= 1);
  const suggestion = run({
    email: `x@${domain}`,
    domains,
    domainThreshold: 1,
    distanceFunction: editDistance,
    // By default the package also corrects real domains and endings, such as `example.fm` to `example.fr`.
    secondLevelDomains: [],
    topLevelDomains: [],
  });
  return suggestion?.domain;
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment distance). The
 * package's own distance counts swapped letters as two mistakes.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (last[column] ?? 0) + 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, inserted, deleted, swapped));
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
