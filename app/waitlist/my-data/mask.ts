/**
 * An address of which its owner recognises enough, and nobody else learns much: `a•••@e•••.com`. The number of characters
 * left out is not shown.
 */
export function maskEmail(email: string): string {
  const [, first = "", host = "", ending = ""] = /^(.)[^@]*@(.).*\.([^.]+)$/u.exec(email) ?? [];
  return `${first}•••@${host}•••.${ending}`;
}
