import { keyedHash } from "#app/server/address-hash.server.ts";

/**
 * The mailbox that an address delivers to, for limits: one mailbox can have many addresses. Leaves out a `+tag`, and for
 * Gmail also dots. Never send to the result, because other providers may treat it as someone else's address.
 * https://support.google.com/mail/answer/7436150
 *
 * @param email as `normaliseEmail` returns it
 */
export function mailboxOf(email: string): string {
  const at = email.indexOf("@");
  const domain = email.slice(at + 1);
  // A local part that begins with a plus has no name in front of a tag.
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/su, "");
  return gmailDomains.includes(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

const gmailDomains = ["gmail.com", "googlemail.com"];

/**
 * The keyed hash of an address's mailbox, the key of everything that is limited by mailbox.
 *
 * @param email as `normaliseEmail` returns it
 */
export function mailboxHash(email: string, hashKey: string): Promise<string> {
  return keyedHash("mailbox:v1", mailboxOf(email), hashKey);
}
