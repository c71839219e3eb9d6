/** The first segments of paths with a token. */
export const TOKEN_FOLDERS = ["your-data", "unsubscribe", "confirm"];

/** Whether a path contains the token of an email link. The token is secret, so no third-party service loads there. */
export function isTokenPath(pathname: string): boolean {
  return tokenFolder(pathname) !== undefined;
}

/** Removes the token, which would let anyone who reads the logs act for the email's recipient. */
export function redactToken(pathname: string): string {
  const folder = tokenFolder(pathname);
  return folder === undefined ? pathname : ["", folder, "[token]", ...segments(pathname).slice(2)].join("/");
}

function tokenFolder(pathname: string): string | undefined {
  const [folder, token] = segments(pathname);
  if (folder === undefined || token === undefined) return undefined;
  const name = decoded(folder).toLowerCase().replace(/;.*/s, "");
  return TOKEN_FOLDERS.find((known) => known === name);
}

/**
 * Matches as loosely as React Router, which ignores letter case, percent-encoding and repeated slashes. An encoded slash
 * and a folder's parameters, which lead to no page, are allowed for as well: the path still contains the token.
 */
function segments(pathname: string): string[] {
  return pathname.split(/\/|%2f/i).filter((segment) => segment !== "");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
