/** The first segment of every address with a token. */
export const TOKEN_FOLDER = "your-data";

/** Whether a path holds the token of a mail's link, which nobody else may learn: no service is loaded there. */
export function isTokenPath(pathname: string): boolean {
  const [folder, token] = segments(pathname);
  return token !== undefined && folder !== undefined && decoded(folder).toLowerCase() === TOKEN_FOLDER;
}

/** A path without the token, which would let the reader of a log act for the mail's recipient. */
export function redactToken(pathname: string): string {
  return isTokenPath(pathname) ? ["", TOKEN_FOLDER, "[token]", ...segments(pathname).slice(2)].join("/") : pathname;
}

/** However a path is written: React Router finds a route in other letter case, escaped, or after two slashes as well. */
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
