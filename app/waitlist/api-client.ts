import type { Campaign } from "#app/waitlist/campaign.ts";
import { UNREACHABLE } from "#app/waitlist/messages.ts";

/** Milliseconds. Longer than the server's database timeout. */
const TIMEOUT = 15_000;

export interface SignUpReply {
  ok: boolean;
  message: string;
  /** A correction of the typed address, where its domain is probably misspelt. */
  suggestion?: string | undefined;
}

/**
 * Signs up from the browser. Never rejects: a failed connection, a timeout and an unexpected response all become a
 * message for the visitor.
 */
export async function postSignUp(fields: Record<string, FormDataEntryValue>, campaign: Campaign): Promise<SignUpReply> {
  try {
    const response = await post("/api/signup", { ...campaign, ...fields }, { signal: AbortSignal.timeout(TIMEOUT) });
    const body = await response.json<{ suggestion?: string }>();
    const message = parseMessage(body);
    if (message !== undefined) return { ok: response.ok, message, suggestion: body.suggestion };
  } catch (error) {
    console.error("Sign-up failed", error);
  }
  return { ok: false, message: UNREACHABLE };
}

/**
 * Requests the welcome email after a sign-up, even if the visitor leaves the page. A failure is only logged, since the
 * server sends the email later by itself.
 */
export async function requestWelcome(email: string): Promise<void> {
  try {
    const response = await post("/api/send-welcome", { email }, { keepalive: true });
    if (!response.ok) console.error("Welcome email failed", await response.text());
  } catch (error) {
    console.error("Welcome email failed", error);
  }
}

/** The visitor's message in a success or error response of the API. */
function parseMessage(body: unknown): string | undefined {
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
