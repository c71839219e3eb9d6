import { use } from "react";
import rest from "#app/layout/styles/deferred.css?url";
import { DocumentContext } from "#app/ui/document-context.ts";

/**
 * The styles of the first paint, in the document itself. The browser's copy of the code does not hold them: it keeps
 * what the server has written.
 */
export function CriticalStyles() {
  const facts = use(DocumentContext);
  return (
    <style
      id={ID}
      nonce={facts?.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheets, which have no other way in
      dangerouslySetInnerHTML={{ __html: facts?.styles ?? written() }}
    />
  );
}

/**
 * All other styles. A link in the body holds up what follows it and nothing before it, so that it stands behind what
 * the first paint shows.
 */
export function DeferredStyles() {
  return <link rel="stylesheet" href={rest} />;
}

const ID = "first-styles";

function written(): string {
  return document.getElementById(ID)?.textContent ?? "";
}
