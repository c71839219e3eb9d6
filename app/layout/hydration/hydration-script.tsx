import { use } from "react";
import { DocumentContext } from "#app/ui/document-context.ts";

/** The starter of the application in the server's document. The browser's copy of the code does not hold it. */
export function HydrationScript() {
  const facts = use(DocumentContext);
  return (
    <script
      nonce={facts?.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: code of ours, which has no other way in
      dangerouslySetInnerHTML={{ __html: facts?.starter ?? "" }}
    />
  );
}
