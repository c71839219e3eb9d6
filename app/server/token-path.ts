/** The first segment of every path with a token. */
export const TOKEN_FOLDER = "your-data";

/** Whether a path contains the token of an email link. The token is secret, so no third-party service loads there. */
export function isTokenPath(pathname: string): boolean {
  const [folder, token] = segments(pathname);
  return token !== undefined && folder !== undefined && decoded(folder).toLowerCase() === TOKEN_FOLDER;
}

/** Removes the token, which would let anyone who reads the logs act for the email's recipient. */
export function redactToken(pathname: string): string {
  return isTokenPath(pathname) ? ["", TOKEN_FOLDER, "[token]", ...segments(pathname).slice(2)].join("/") : pathname;
}

/** Matches as loosely as React Router, which ignores letter case, percent-encoding and repeated slashes. */
function segments(pathname: string): string[] {
  return pathname.split("/").filter((segment) => segment !== "");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
