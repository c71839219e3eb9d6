import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/** The inline script that defers hydration. Its text is rendered by the server only and is not in the client bundle. */
export function HydrationScript() {
  const context = use(DocumentContext);
  return (
    <script
      nonce={context?.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code; an inline script needs raw text
      dangerouslySetInnerHTML={{ __html: context?.hydrationScript ?? "" }}
    />
  );
}
