import { useEffect, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";
import { startTurnstile, type TurnstileWidget } from "#app/waitlist/abuse/turnstile-widget.ts";

/** Turnstile's site key, or undefined where it is not configured. */
export function useTurnstileSiteKey(): string | undefined {
  return useRouteLoaderData<typeof loader>("root")?.turnstileSiteKey;
}

/** Turnstile for a form. Its script loads on the first focus, pointer or key event in the form, if it is configured. */
export function useChallenge() {
  const siteKey = useTurnstileSiteKey();
  const container = useRef<HTMLDivElement>(null);
  const widget = useRef<TurnstileWidget>(null);

  function start() {
    if (siteKey === undefined || container.current === null) return;
    widget.current ??= startTurnstile(container.current, siteKey);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on hydration
  useEffect(() => {
    // The focus event that triggered hydration came before the handlers below.
    if (container.current?.closest("form")?.contains(document.activeElement)) start();
    return () => widget.current?.remove();
  }, []);

  return {
    /** Ref of the widget's container, inside the form; null where Turnstile is not configured. */
    container: siteKey === undefined ? null : container,
    /** Props for the form element. */
    onIntent: { onFocus: start, onPointerDown: start, onKeyDown: start },
    /** Resolves when the form may be submitted, after a few seconds at most; at once where nothing is configured. */
    async settled(): Promise<void> {
      start();
      await widget.current?.settled();
    },
    /** Call this once a token has been used. */
    renew: () => widget.current?.reset(),
  };
}
