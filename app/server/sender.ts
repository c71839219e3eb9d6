import { isEmailAddress } from "#app/server/email-address.ts";

export interface Sender {
  /** What email programs show; null if only the address is known. */
  name: string | null;
  address: string;
}

/** Characters. */
const MAX_NAME_LENGTH = 100;

/**
 * Reads a sender such as `hello@example.com`, `Ada Maker <hello@example.com>` or `"Maker, Ada" <hello@example.com>`.
 *
 * @returns null if it is none, or its name cannot stand in an email's header
 */
export function parseSender(text: string): Sender | null {
  const [, quoted, plain, address = text] = /^\s*(?:"([^"\\]*)"|([^"\\<>]*?))\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  const name = (quoted ?? plain ?? "").trim();
  if (!isEmailAddress(address) || name.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    return null;
  return { name: name === "" ? null : name, address };
}

/** A sender as a `From` header has it: the name in quotation marks where it has other signs than RFC 5322's atoms. */
export function formatSender({ name, address }: Sender): string {
  if (name === null) return address;
  const isAtoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~ -]+$/u.test(name);
  return `${isAtoms ? name : `"${name}"`} <${address}>`;
}
