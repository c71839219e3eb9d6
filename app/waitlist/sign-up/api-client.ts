import type { Millis } from "#app/server/time/units.ts";
import { UNREACHABLE } from "#app/waitlist/sign-up/messages.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

/** Longer than the server's database timeout. */
const TIMEOUT: Millis = 15_000;

/** A response of the API: errors have a code, and sign-ups that succeed have a ticket. */
interface ApiReply extends Omit<TicketData, "answers"> {
  ok: boolean;
  message: string;
  code?: string;
}

/**
 * Posts to the API from the browser. Never rejects: a failed connection, a timeout and an unexpected response all become
 * a message for the visitor.
 */
export async function postForReply(path: string, fields: object): Promise<ApiReply> {
  try {
    const response = await post(path, fields, { signal: AbortSignal.timeout(TIMEOUT) });
    const body = await response.json<ApiReply & { error?: Partial<ApiReply> }>();
    const reply = { ...body, ...body.error, ok: response.ok };
    if (typeof reply.message === "string") return reply;
  } catch (error) {
    console.error(`${path} failed`, error);
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

function post(path: string, body: object, init: RequestInit): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
}
