import { use, useEffect, useSyncExternalStore } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/** Writes a line to the browser's console: an inline script in documents, an effect after client-side navigations. */
export function ConsoleError({ message }: { message: string }) {
  const nonce = use(DocumentContext)?.nonce;
  const isInDocument = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the first render tells where the page came from
  useEffect(() => {
    if (!isInDocument) console.error(message);
  }, []);

  // Browsers do not run scripts that React creates, and Trusted Types refuse them.
  if (!isInDocument) return null;
  return (
    <script
      nonce={nonce}
      // Without a type it would be taken for one of React Router's scripts, which are deferred or emptied.
      type="text/javascript"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; an inline script needs raw text
      dangerouslySetInnerHTML={{ __html: `console.error(${JSON.stringify(message)})` }}
    />
  );
}
