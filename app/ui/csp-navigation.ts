/**
 * Whether a link must load a document: a content security policy comes with a document and stays with it, so a page
 * whose policy differs from that of the others is entered and left by a document load.
 *
 * @param paths of the pages with a policy of their own, as the root loader returns them
 */
export function needsDocumentLoad(from: string, to: string, paths: string[]): boolean {
  const hasOwnCsp = (pathname: string) => paths.some((path) => `${pathname}/`.startsWith(`${path}/`));
  return from !== to && (hasOwnCsp(from) || hasOwnCsp(to));
}
