/** An address that only its owner recognises: `a•••@e•••.com`. Hides the number of characters left out. */
export function maskEmail(email: string): string {
  const [, first = "", host = "", ending = ""] = /^(.)[^@]*@(.).*\.([^.]+)$/u.exec(email) ?? [];
  return `${first}•••@${host}•••.${ending}`;
}
