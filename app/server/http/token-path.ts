/** The first segments of paths with a token. */
export const TOKEN_FOLDERS = ["your-data", "unsubscribe", "confirm"];

/** Those, and those of paths that no third-party service can see. */
const REDACTED_FOLDERS = [...TOKEN_FOLDERS, "owner/sign-in"];

/** Whether a path contains the token of an email link. The token is secret, so no third-party service loads there. */
export function isTokenPath(pathname: string): boolean {
  return folderOf(pathname, TOKEN_FOLDERS) !== undefined;
}

/** Whether no cache may keep even a redirect of a path: one with a token, or an owner's page. */
export function isPrivatePath(pathname: string): boolean {
  return folderOf(`${pathname}/-`, [...TOKEN_FOLDERS, "owner"]) !== undefined;
}

/** Removes the token, which would let anyone who reads the logs act for the email's recipient. */
export function redactToken(pathname: string): string {
  const folder = folderOf(pathname, REDACTED_FOLDERS);
  if (folder === undefined) return pathname;
  return ["", folder, "[token]", ...segments(pathname).slice(folder.split("/").length + 1)].join("/");
}

function folderOf(pathname: string, folders: string[]): string | undefined {
  const names = segments(pathname).map((segment) => decoded(segment).toLowerCase().replace(/;.*/s, ""));
  return folders.find((folder) => {
    const known = folder.split("/");
    return names.length > known.length && known.every((name, index) => name === names[index]);
  });
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
