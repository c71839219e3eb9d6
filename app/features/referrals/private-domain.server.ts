import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { suggestedDomains } from "#app/waitlist/sign-up/suggest-address.ts";

/** Large providers whose addresses anyone can have, besides those that misspelt addresses are corrected to. */
const largeProviders = [
  "aol.com",
  "att.net",
  "bellsouth.net",
  "bigpond.com",
  "btopenworld.com",
  "cox.net",
  "fastmail.fm",
  "free.fr",
  "gmx.at",
  "gmx.ch",
  "gmx.co.uk",
  "gmx.com",
  "gmx.de",
  "gmx.net",
  "hey.com",
  "hotmail.de",
  "hotmail.es",
  "hotmail.fr",
  "hotmail.it",
  "hushmail.com",
  "laposte.net",
  "libero.it",
  "live.com",
  "live.nl",
  "mac.com",
  "mail.com",
  "mail.de",
  "mail.ru",
  "mailbox.org",
  "me.com",
  "msn.com",
  "naver.com",
  "o2.co.uk",
  "o2.pl",
  "onet.pl",
  "optusnet.com.au",
  "orange.fr",
  "pm.me",
  "posteo.de",
  "proton.me",
  "qq.com",
  "sbcglobal.net",
  "seznam.cz",
  "sfr.fr",
  "shaw.ca",
  "sky.com",
  "t-online.de",
  "telus.net",
  "tutanota.com",
  "uol.com.br",
  "wanadoo.fr",
  "web.de",
  "wp.pl",
  "yahoo.ca",
  "yahoo.co.in",
  "yahoo.com.au",
  "yahoo.com.br",
  "yahoo.de",
  "yahoo.es",
  "yahoo.fr",
  "yahoo.ie",
  "yahoo.it",
  "yandex.com",
  "yandex.ru",
  "ymail.com",
  "zoho.com",
];

/** Where strangers have addresses, each with a mailbox of its own: unlike services that forward any number of addresses. */
const shared = new Set([...suggestedDomains, ...largeProviders]);

/** The second labels of names such as `example.co.uk`, which are registered one below them. */
const registries = new Set([
  "ac",
  "asn",
  "co",
  "com",
  "edu",
  "gov",
  "gr",
  "id",
  "ltd",
  "me",
  "ne",
  "net",
  "or",
  "org",
  "plc",
]);

/**
 * The domain at which one person may have all addresses, without its subdomains; null for a provider that strangers share.
 *
 * @param email as `normaliseEmail` returns it
 */
export function privateDomain(email: string): string | null {
  const domain = email.slice(email.indexOf("@") + 1);
  if (shared.has(domain)) return null;
  const labels = domain.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const length = top.length === 2 && registries.has(second) ? 3 : 2;
  return labels.slice(-length).join(".");
}

/** The keyed hash of an address's {@link privateDomain}; null without one. */
export async function hashPrivateDomain(email: string, hashKey: string): Promise<string | null> {
  const domain = privateDomain(email);
  return domain === null ? null : keyedHash("domain:v1", domain, hashKey);
}
