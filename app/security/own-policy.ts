import { isTokenPath } from "#app/your-data/token-path.ts";

/**
 * Whether a page's content policy differs from that of the others: the survey may be framed on /survey alone, and no
 * service is loaded where an address holds a token. A policy comes with a document and stays with it, so that such a
 * page is entered and left by loading a document.
 */
export function hasOwnPolicy(pathname: string, { framesSurvey }: { framesSurvey: boolean }): boolean {
  return (framesSurvey && isSurveyPath(pathname)) || isTokenPath(pathname);
}

export function isSurveyPath(pathname: string): boolean {
  return pathname === "/survey";
}
