import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import type { outboxHarness } from "#tests/support/pool/emails.ts";
import { rows } from "#tests/support/pool/start.ts";

type Outbox = Pick<ReturnType<typeof outboxHarness>, "join" | "sweep" | "deps" | "clock">;

/** Sends emails to unverified sign-ups, the first of which bounce. */
export async function sendAndBounce(
  { join, sweep, deps }: Outbox,
  { sent, bounced }: { sent: number; bounced: number },
) {
  const name = crypto.randomUUID().slice(0, 8);
  const email = (n: number) => `${name}-${n}@example.com`;
  for (let n = 0; n < sent; n += 1) await join(email(n), { verified: null, network: n });
  await sweep();
  const outbox = await rows<{ id: string; done_at: number | null; entry_id: number }>("email_outbox");
  const entries = await rows<{ id: number; email: string }>("waitlist_emails");
  const about = outbox.filter(({ entry_id }) => entries.find(({ id }) => id === entry_id)?.email.startsWith(name));
  for (const { id } of about.slice(0, bounced)) {
    const event = { id: `bounce-${id}`, kind: "hard-bounce", about: { emailId: id }, recipient: email(0) } as const;
    await applyProviderEvent(deps, event);
  }
}
