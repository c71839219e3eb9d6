import { useEffect, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";
import { startTurnstile, type TurnstileWidget } from "#app/waitlist/abuse/turnstile-widget.ts";

/** Turnstile's public key, or undefined where it is not configured. */
export function useTurnstileSiteKey(): string | undefined {
  return useRouteLoaderData<typeof loader>("root")?.turnstileSiteKey;
}

/**
 * Turnstile for a form. Nothing of it is loaded before the first intent to use the form: a focus, a pointer, a key.
 * Where it is not configured, nothing is loaded at all.
 */
export function useChallenge() {
  const siteKey = useTurnstileSiteKey();
  const place = useRef<HTMLDivElement>(null);
  const widget = useRef<TurnstileWidget>(null);

  function begin() {
    if (siteKey === undefined || place.current === null) return;
    widget.current ??= startTurnstile(place.current, siteKey);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the application starts
  useEffect(() => {
    // The focus that started the application was the first intent.
    if (place.current?.closest("form")?.contains(document.activeElement)) begin();
    return () => widget.current?.remove();
  }, []);

  return {
    /** Where the widget goes, inside the form; null where there will be none. */
    place: siteKey === undefined ? null : place,
    /** For the form element. */
    onIntent: { onFocus: begin, onPointerDown: begin, onKeyDown: begin },
    /** Waits until the form may be read; at most a few seconds, and not at all where nothing is configured. */
    async settled(): Promise<void> {
      begin();
      await widget.current?.settled();
    },
    /** To be called when a token has been used. */
    renew: () => widget.current?.reset(),
  };
}
