import { TURNSTILE_ACTION } from "#app/server/abuse/challenge-field.ts";
import { withTimeout } from "#app/server/time/timeout.ts";

/** The parts used of Turnstile's browser API: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
interface TurnstileApi {
  render(container: HTMLElement, options: object): string | null | undefined;
  reset(widgetId: string): void;
  remove(widgetId: string): void;
}

declare global {
  interface Window {
    turnstile?: TurnstileApi;
  }
}

/** A widget inside a form, which puts its token into a field of that form. */
export interface TurnstileWidget {
  /** Resolves when there is a token, or none is expected. Never rejects: the server accepts forms without one. */
  settled(): Promise<void>;
  /** Requests a new token; each is valid once. */
  reset(): void;
  remove(): void;
}

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** How long a form waits for a token before it is sent without one (milliseconds). */
const TOKEN_TIMEOUT = 5_000;

/** Loads Turnstile and renders a widget, which is visible only when the visitor must interact with it. */
export function startTurnstile(container: HTMLElement, siteKey: string): TurnstileWidget {
  let settle: () => void;
  let settled: Promise<void>;
  let rendered: { api: TurnstileApi; id: string } | null = null;
  let removed = false;

  function expectToken() {
    settled = new Promise((resolve) => {
      settle = resolve;
    });
  }

  async function start() {
    const api = await loadTurnstile();
    if (removed) return;
    const giveUp = () => {
      settle();
      return true; // Tells Turnstile that the error is handled.
    };
    const callbacks = {
      callback: () => settle(),
      "error-callback": giveUp,
      "timeout-callback": () => settle(),
    };
    const options = {
      sitekey: siteKey,
      action: TURNSTILE_ACTION,
      appearance: "interaction-only",
      size: "flexible",
      ...callbacks,
    };
    const id = api.render(container, options);
    if (id) rendered = { api, id };
    else settle();
  }

  expectToken();
  start().catch((error) => {
    console.warn("Turnstile could not be loaded", error);
    settle();
  });

  return {
    settled: () => withTimeout(settled, TOKEN_TIMEOUT, "Turnstile").catch(() => undefined),
    reset() {
      if (rendered === null) return;
      expectToken();
      rendered.api.reset(rendered.id);
    },
    remove() {
      removed = true;
      rendered?.api.remove(rendered.id);
    },
  };
}

let loading: Promise<TurnstileApi> | null = null;

/** Loads the script once; after a failure the next call retries. */
function loadTurnstile(): Promise<TurnstileApi> {
  loading ??= new Promise<TurnstileApi>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.async = true;
    script.onload = () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error("the script did not define window.turnstile"));
    script.onerror = () => reject(new Error("the script did not load"));
    document.head.appendChild(script);
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
