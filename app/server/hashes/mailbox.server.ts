import { keyedHash } from "#app/server/hashes/address-hash.server.ts";

/**
 * The mailbox that an address delivers to, for limits: one mailbox can have many addresses. Leaves out a `+tag`, and what
 * the providers below ignore. Never send to the result, because other providers may treat it as someone else's address.
 *
 * An entry keeps the hash of its sign-up: after a change of these rules, its emails count for the former mailbox.
 *
 * @param email as `normaliseEmail` returns it
 */
export function mailboxOf(email: string): string {
  const { name, domain } = untagged(email);
  const provider = providers.find(({ domains }) => domains.test(domain));
  if (provider === undefined) return `${name}@${domain}`;
  return `${provider.ignored === undefined ? name : name.replace(provider.ignored, "")}@${provider.domain}`;
}

/** Whether an address has a tag, which anyone can append to someone else's. Other spellings may be how a person writes it. */
export function hasTag(email: string): boolean {
  const { name, domain } = untagged(email);
  return `${name}@${domain}` !== email;
}

function untagged(email: string): { name: string; domain: string } {
  const at = email.indexOf("@");
  const domain = email.slice(at + 1);
  // https://www.fastmail.help/hc/en-us/articles/360060591053: any name at USER.fastmail.com is USER@fastmail.com.
  const [, user, fastmail] = /^([^.]+)\.(fastmail\.(?:com|fm))$/.exec(domain) ?? [];
  if (user !== undefined && fastmail !== undefined) return { name: user, domain: fastmail };
  // A local part that begins with a plus has no name in front of a tag.
  return { name: email.slice(0, at).replace(/(?<=.)\+.*$/su, ""), domain };
}

/** Providers where several domains are one, which the commonest of them stands for, and what they ignore in names. */
const providers: { domain: string; domains: RegExp; ignored?: RegExp }[] = [
  // https://support.google.com/mail/answer/7436150
  { domain: "gmail.com", domains: /^(gmail|googlemail)\.com$/, ignored: /\./g },
  // https://support.apple.com/118230
  { domain: "icloud.com", domains: /^(icloud|me|mac)\.com$/ },
  // https://proton.me/support/addresses-and-aliases and https://proton.me/support/change-username
  { domain: "proton.me", domains: /^(proton\.me|protonmail\.com|protonmail\.ch|pm\.me)$/, ignored: /[._-]/g },
  // https://yandex.com/support/domain/additional/mailbox-alias.xml
  { domain: "yandex.ru", domains: /^(ya\.ru|yandex\.[a-z]{2,3}(\.[a-z]{2})?)$/ },
];

/** The key of everything that is limited by mailbox. @param email as `normaliseEmail` returns it */
export function hashMailbox(email: string, hashKey: string): Promise<string> {
  return keyedHash("mailbox:v1", mailboxOf(email), hashKey);
}
