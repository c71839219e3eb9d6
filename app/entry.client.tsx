import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { restorePage, savePage } from "#app/layout/hydration/restore-page.ts";

savePage();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    // When a translation or an extension has changed the page, React renders it again.
    { onUncaughtError, onRecoverableError: console.warn },
  );
});

/** React has emptied the document. */
function onUncaughtError(error: unknown): void {
  console.error("The page failed", error);
  if (!restorePage()) location.reload();
}
