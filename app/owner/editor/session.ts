import { make } from "#app/owner/editor/elements.ts";
import type { TypedForm } from "#app/owner/editor/typed-form.ts";
import type { Millis } from "#app/server/time/units.ts";

const RENEWAL_INTERVAL: Millis = 4 * 60_000;

const TIMEOUT: Millis = 15_000;

export interface SessionWatch {
  /** The server has refused a request of this page. */
  onEnded(): void;
}

/** Renews the session while one types, and says when it has ended. @param onRestored one has signed in again */
export function renewSession({ form, warn, say }: TypedForm, onRestored: () => void): SessionWatch {
  let renewedAt = Date.now();
  let hasEnded = false;
  form.addEventListener("input", () => {
    if (!hasEnded && Date.now() - renewedAt >= RENEWAL_INTERVAL) void renew();
  });
  document.addEventListener("visibilitychange", () => {
    if (hasEnded && document.visibilityState === "visible") void renew();
  });
  return { onEnded };

  async function renew(): Promise<void> {
    // Also if it fails, so that it is not tried at each key.
    renewedAt = Date.now();
    const status = await fetch("/owner/session", { method: "POST", signal: AbortSignal.timeout(TIMEOUT) }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 403) return onEnded();
    if (status !== 204 || !hasEnded) return;
    hasEnded = false;
    warn(null);
    say("You are signed in again.");
    onRestored();
  }

  function onEnded(): void {
    if (hasEnded) return;
    hasEnded = true;
    const signIn = make("a", { href: "/owner", target: "_blank", rel: "noopener" }, "Sign in in a new tab");
    warn(["Your session has ended. What you type is kept in this browser. ", signIn, ", then go on here."]);
  }
}
