import { type ReactNode, Suspense, use, useEffect } from "react";
import { useLocation } from "react-router";
import { DocumentContext } from "#app/layout/document-context.ts";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { ErrorCatcher } from "#app/layout/hydration/error-catcher.tsx";

/** The markup React renders for a Suspense boundary whose content threw. */
export const FAILED_BOUNDARY = "<!--$!-->";

/**
 * Limits a hydration mismatch to the page's content. If an extension or a translation changed the document, React
 * re-renders this boundary instead of the whole document, whose inline scripts Trusted Types would not let it recreate.
 * Field values are copied to the new fields, and the button that started hydration is pressed again.
 */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  if (use(DocumentContext)?.skipBoundary) return children;
  return (
    <ErrorCatcher locationKey={key}>
      <Suspense>
        {children}
        <Hydrated />
      </Suspense>
    </ErrorCatcher>
  );
}

const isBrowser = typeof document !== "undefined";
const fields = isBrowser ? [...document.querySelectorAll<HTMLInputElement>("input[id]")] : [];
const buttons = isBrowser ? [...document.querySelectorAll("button")] : [];
const focused = isBrowser ? document.activeElement : null;

/** Its effect runs last, when the rest of the boundary is hydrated. */
function Hydrated() {
  useEffect(() => {
    for (const field of fields.splice(0)) {
      const recreated = document.getElementById(field.id);
      if (recreated === field || !(recreated instanceof HTMLInputElement)) continue;
      recreated.value = field.value;
      recreated.checked = field.checked;
      if (field === focused) recreated.focus({ preventScroll: true });
    }
    document.dispatchEvent(new Event(HYDRATED_EVENT));
    const pressed = document.querySelectorAll("button")[buttons.findIndex((button) => button.matches("[aria-busy]"))];
    pressed?.removeAttribute("aria-busy");
    pressed?.click();
  }, []);
  return null;
}
