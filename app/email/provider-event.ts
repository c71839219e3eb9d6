import type { Config } from "#app/server/config.server.ts";

/** What a provider reports about an email that it had accepted. */
export interface ProviderEvent {
  /** The provider's id of the event, the same for every delivery of it. */
  id: string;
  kind: "hard-bounce" | "soft-bounce" | "complaint" | "failed";
  /**
   * The email's id in the outbox, or the key of a letter and its recipient's entry. Null if the event names neither: then
   * it is about the last email that had been sent to the recipient.
   */
  about: { emailId: string } | LetterEmail | null;
  /** The address it was sent to. */
  recipient: string;
  /** When it happened (milliseconds since 1970), if it may be received days later. */
  at?: number;
}

/** A letter's copy for one entry, as its tags name it. */
export interface LetterEmail {
  letter: string;
  entryId: number;
}

/** How a provider reports events. */
export interface ProviderWebhook {
  /** What authenticates its requests; undefined if the webhook is not set up. */
  secretOf(config: Config): string | undefined;
  /**
   * Verifies and parses a request.
   *
   * @param body as received: a signature covers its exact text
   */
  read(body: string, headers: Headers, secret: string): WebhookRequest;
}

/** Its signature is invalid or too old, its body is malformed, or it is the provider's. */
export type WebhookRequest =
  | { kind: "bad-signature" }
  | { kind: "malformed" }
  /** `event` is null if this site does not act on it, or if the email is another site's. */
  | { kind: "event"; event: ProviderEvent | null };
