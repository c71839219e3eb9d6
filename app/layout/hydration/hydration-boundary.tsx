import { Component, type ReactNode, Suspense, use, useEffect } from "react";
import { useLocation } from "react-router";
import { DocumentContext } from "#app/layout/document-context.ts";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { restorePage } from "#app/layout/hydration/restore-page.ts";
import { DeferredStyles } from "#app/layout/styles/styles.tsx";

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

interface ErrorCatcherProps {
  /** Changes with each navigation, which tries to render again. */
  locationKey: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  locationKey: string;
}

/**
 * Catches errors of the page frame inside the body. React Router's own boundary renders the whole document again, whose
 * inline scripts Trusted Types would not let it recreate. Before hydration is complete, the server's page stays.
 */
class ErrorCatcher extends Component<ErrorCatcherProps, State> {
  override state: State = { error: null, locationKey: this.props.locationKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error("Nothing was thrown") };
  }

  static getDerivedStateFromProps({ locationKey }: ErrorCatcherProps, state: State): Partial<State> | null {
    return locationKey === state.locationKey ? null : { error: null, locationKey };
  }

  override componentDidCatch(): void {
    restorePage();
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <>
        <ErrorPage error={this.state.error} />
        <DeferredStyles />
      </>
    );
  }
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
