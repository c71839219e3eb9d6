import type { Campaign } from "#app/waitlist/campaign.ts";
import { messages } from "#app/waitlist/messages.ts";

/** Longer than the server takes to give up on its database (milliseconds). */
const TIMEOUT = 15_000;

export interface SignUpReply {
  ok: boolean;
  message: string;
}

/**
 * Signs an address up from the browser. Never rejects: no connection, no answer in time and an answer that is none
 * of ours all become a sentence for the visitor.
 */
export async function postSignUp(fields: Record<string, FormDataEntryValue>, campaign: Campaign): Promise<SignUpReply> {
  try {
    const response = await post("/api/signup", { ...campaign, ...fields }, { signal: AbortSignal.timeout(TIMEOUT) });
    const message = messageIn(await response.json());
    if (message !== undefined) return { ok: response.ok, message };
  } catch (error) {
    console.error("Sign-up failed", error);
  }
  return { ok: false, message: messages.unreachable };
}

/**
 * Asks for the welcome mail of somebody who has just joined. Goes on when the visitor leaves the page; a failure is
 * logged and no more, since the server sends the mail by itself later.
 */
export async function requestWelcome(email: string): Promise<void> {
  try {
    const response = await post("/api/send-welcome", { email }, { keepalive: true });
    if (!response.ok) console.error("Welcome e-mail failed", await response.text());
  } catch (error) {
    console.error("Welcome e-mail failed", error);
  }
}

/** The sentence for the visitor in an answer of our API, be it a success or an error. */
function messageIn(body: unknown): string | undefined {
  const { message, error } = body as { message?: unknown; error?: { message?: unknown } };
  const found = error?.message ?? message;
  return typeof found === "string" ? found : undefined;
}

function post(path: string, body: object, init: RequestInit): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
}
