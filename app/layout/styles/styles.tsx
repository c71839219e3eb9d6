import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";
import deferredStyles from "#app/layout/styles/deferred.css?url";

/** Inlined by the server only. The client bundle does not contain them, so the browser keeps the server's markup. */
export function CriticalStyles() {
  const context = use(DocumentContext);
  return (
    <style
      id={ID}
      nonce={context?.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheets; an inline style needs raw text
      dangerouslySetInnerHTML={{ __html: context?.styles ?? existingStyles() }}
    />
  );
}

/** A stylesheet link in the body blocks only the content after it, so this goes below the first screens. */
export function DeferredStyles() {
  return <link rel="stylesheet" href={deferredStyles} />;
}

const ID = "critical-styles";

function existingStyles(): string {
  return document.getElementById(ID)?.textContent ?? "";
}
