import { useEffect, useRef } from "react";
import { useRootData } from "#app/ui/root-data.ts";
import type { startTurnstile } from "#app/waitlist/sign-up/turnstile-widget.ts";

/** Turnstile for a form. Its script loads on the first focus, pointer or key event in the form, if it is configured. */
export function useChallenge() {
  const siteKey = useRootData()?.turnstileSiteKey;
  const container = useRef<HTMLDivElement>(null);
  /** Undefined if its code could not be loaded. */
  const widget = useRef<Promise<ReturnType<typeof startTurnstile> | undefined>>(null);

  function start() {
    const element = container.current;
    if (siteKey === undefined || element === null) return;
    // Imported on demand: most sites do without Turnstile.
    widget.current ??= import("#app/waitlist/sign-up/turnstile-widget.ts")
      .then(({ startTurnstile }) => startTurnstile(element, siteKey))
      .catch((error) => console.warn("Turnstile could not be loaded", error) as undefined);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on hydration
  useEffect(() => {
    // The focus event that triggered hydration came before the handlers below.
    if (container.current?.closest("form")?.contains(document.activeElement)) start();
    return () => {
      widget.current?.then((started) => started?.remove());
    };
  }, []);

  return {
    /** Ref of the widget's container, inside the form; null where Turnstile is not configured. */
    container: siteKey === undefined ? null : container,
    onIntent: { onFocus: start, onPointerDown: start, onKeyDown: start },
    /** Resolves when the form may be submitted, after a few seconds at most; at once where nothing is configured. */
    async settled(): Promise<void> {
      start();
      await (await widget.current)?.settled();
    },
    /** Call this once a token has been used. */
    renew: () => widget.current?.then((started) => started?.reset()),
  };
}
