const TOKEN_PATH = /^\/your-data\/[^/]+/;

/** Whether a path holds the token of a mail's link, which nobody else may learn: no service is loaded there. */
export function isTokenPath(pathname: string): boolean {
  return TOKEN_PATH.test(pathname);
}

/** A path without the token, which would let the reader of a log act for the mail's recipient. */
export function withoutToken(pathname: string): string {
  return pathname.replace(TOKEN_PATH, "/your-data/[token]");
}
