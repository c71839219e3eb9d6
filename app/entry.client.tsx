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
    { onUncaughtError, onRecoverableError },
  );
});

/** React has rendered the page again, because a translation or an extension had changed it. */
function onRecoverableError(error: unknown): void {
  console.warn(error);
}

/** React has emptied the document. */
function onUncaughtError(error: unknown): void {
  console.error("The page failed", error);
  if (!restorePage()) location.reload();
}
