import { withTimeout } from "#app/server/timeout.ts";

/** What we use of Turnstile in the browser: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
interface TurnstileApi {
  render(place: HTMLElement, options: object): string | null | undefined;
  reset(widgetId: string): void;
  remove(widgetId: string): void;
}

declare global {
  interface Window {
    turnstile?: TurnstileApi;
  }
}

/** A widget in a form, which puts its token into a field of that form. */
export interface TurnstileWidget {
  /** Resolves when there is a token, or none to be waited for. Never rejects: the server copes without. */
  settled(): Promise<void>;
  /** Asks for a new token, since one counts once. */
  reset(): void;
  remove(): void;
}

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** How long a form waits for a token before it is sent without (milliseconds). */
const PATIENCE = 5_000;

/** Loads Turnstile and puts a widget into a place. It shows itself only where it wants something of the visitor. */
export function startTurnstile(place: HTMLElement, siteKey: string): TurnstileWidget {
  let waiting = Promise.withResolvers<void>();
  let shown: { api: TurnstileApi; id: string } | null = null;
  let removed = false;

  async function start() {
    const api = await loadTurnstile();
    if (removed) return;
    const settle = () => waiting.resolve();
    // A handled error is not thrown at the page once more.
    const giveUp = () => {
      settle();
      return true;
    };
    const callbacks = { callback: settle, "error-callback": giveUp, "timeout-callback": settle };
    const id = api.render(place, { sitekey: siteKey, appearance: "interaction-only", size: "flexible", ...callbacks });
    if (id) shown = { api, id };
    else settle();
  }

  start().catch((error) => {
    console.warn("Turnstile is not there", error);
    waiting.resolve();
  });

  return {
    settled: () => withTimeout(waiting.promise, PATIENCE, "Turnstile").catch(() => undefined),
    reset() {
      if (shown === null) return;
      waiting = Promise.withResolvers<void>();
      shown.api.reset(shown.id);
    },
    remove() {
      removed = true;
      shown?.api.remove(shown.id);
    },
  };
}

let loading: Promise<TurnstileApi> | null = null;

/** Loads the script once; after a failure the next form tries again. */
function loadTurnstile(): Promise<TurnstileApi> {
  loading ??= new Promise<TurnstileApi>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.async = true;
    script.onload = () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error("no Turnstile in its script"));
    script.onerror = () => reject(new Error("its script did not load"));
    document.head.appendChild(script);
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
