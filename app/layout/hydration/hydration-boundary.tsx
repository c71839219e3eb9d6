import { type ReactNode, Suspense, use, useEffect } from "react";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { DocumentContext } from "#app/ui/document-context.ts";

/** What React writes in place of a boundary in which something threw. */
export const FAILED_BOUNDARY = "<!--$!-->";

/**
 * What the application takes over of a document. An extension or a translation may have changed it before, which React
 * answers by making everything anew: everything within this, and not the whole document, whose inline scripts Trusted
 * Types would not let it make. What had been typed is put into the new fields.
 */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  if (use(DocumentContext)?.isUnbounded) return children;
  return (
    <Suspense>
      {children}
      <Hydrated />
    </Suspense>
  );
}

const isBrowser = typeof document !== "undefined";
const fields = isBrowser ? [...document.querySelectorAll<HTMLInputElement>("input[id]")] : [];
const focused = isBrowser ? document.activeElement : null;

/** Says in the document that the application has taken over, once everything before it has. */
function Hydrated() {
  useEffect(() => {
    for (const field of fields.splice(0)) {
      const made = document.getElementById(field.id);
      if (made === field || !(made instanceof HTMLInputElement)) continue;
      made.value = field.value;
      made.checked = field.checked;
      if (field === focused) made.focus({ preventScroll: true });
    }
    document.dispatchEvent(new Event(HYDRATED_EVENT));
  }, []);
  return null;
}
