/**
 * A CSP stays in force until the next document load, so entering or leaving a page with a different CSP needs one.
 *
 * @param ownCspPaths prefixes of the pages with a different CSP, from the root loader
 */
export function needsDocumentLoad(from: string, to: string, ownCspPaths: string[]): boolean {
  const hasOwnCsp = (pathname: string) => ownCspPaths.some((path) => `${pathname}/`.startsWith(`${path}/`));
  return from !== to && (hasOwnCsp(from) || hasOwnCsp(to));
}
