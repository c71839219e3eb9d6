import { isEmailAddress } from "#app/server/email-address.ts";
import { isPublicHost } from "#app/server/public-address.server.ts";

/**
 * What the site fills in, as the address of a link or button: the recipient's page to unsubscribe, and the address of the
 * site, which a path may follow.
 */
export const placeholders = { unsubscribe: "{{unsubscribe}}", site: "{{site}}" } as const;

/** What is wrong with the address of a link or button, or null. */
export function linkProblem(address: string): string | null {
  if (address === placeholders.unsubscribe) return null;
  if (address.startsWith(placeholders.site)) {
    const path = address.slice(placeholders.site.length);
    if (/^([/?#]|$)/.test(path)) return urlProblem(`https://site.example${path}`, address);
  }
  if (/^mailto:/i.test(address)) return mailtoProblem(address);
  return urlProblem(address, address);
}

/** What is wrong with the address of an image, or null. */
export function imageProblem(source: string): string | null {
  if (source.includes("{{")) return `An image has no placeholder in its address: ${quoted(source)}.`;
  return urlProblem(source, source);
}

/** @param url the address with its placeholder filled */
function urlProblem(url: string, address: string): string | null {
  if (address === "") return "The address in the round brackets is missing.";
  if (url.includes("{{")) return `Only ${placeholders.site} can begin an address: ${quoted(address)}.`;
  if (!/^https:\/\//i.test(url))
    return `The address must begin with https://, and this one does not: ${quoted(address)}.`;
  const parsed = URL.parse(url);
  const isComplete = parsed !== null && isPublicHost(parsed) && /^https:\/\/[^/?#\s\\\p{C}][^\s\\\p{C}]*$/iu.test(url);
  if (!isComplete) return `This is not a valid address: ${quoted(address)}.`;
  if (parsed.username !== "" || parsed.password !== "") {
    return `The address must not hold a user name or password: ${quoted(address)}.`;
  }
  return null;
}

function mailtoProblem(address: string): string | null {
  if (address.includes("{{")) return `An email address has no placeholder: ${quoted(address)}.`;
  const [recipient = "", query] = address.slice("mailto:".length).split("?");
  if (query !== undefined && !/^(subject|body)=[^&{}\s]*(&(subject|body)=[^&{}\s]*)?$/i.test(query)) {
    return `After the email address, only ?subject= can follow: ${quoted(address)}.`;
  }
  return isEmailAddress(recipient) ? null : `This is not an email address: ${quoted(address)}.`;
}

function quoted(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}
