import type { ProviderMailer } from "#app/email/mailer.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { isInternational, isReserved } from "#app/server/email-address.ts";

/**
 * Keeps emails from a provider that it cannot deliver: they fail at once, with a reason, and are not retried.
 *
 * @param takesExamples whether it gets emails to reserved addresses, as a simulator does
 */
export function refuseRecipients(
  mailer: ProviderMailer,
  { takesExamples }: { takesExamples: boolean },
): ProviderMailer {
  const { batch } = mailer;
  const refusal = (to: string): EmailReason | null => {
    if (isInternational(to)) return "international-address";
    return isReserved(to) && !takesExamples ? "example-address" : null;
  };
  const refusing: ProviderMailer = {
    ...mailer,
    async send(message, id) {
      const reason = refusal(message.to);
      return reason === null ? mailer.send(message, id) : { state: "permanent", reason, detail: "not submitted" };
    },
  };
  if (batch === undefined) return refusing;
  return {
    ...refusing,
    async batch(messages, id) {
      const places = [...messages.keys()];
      const accepted = places.filter((place) => refusal(messages[place]?.to ?? "") === null);
      const refused = places.filter((place) => !accepted.includes(place));
      if (accepted.length === 0) return { state: "sent", failed: refused, rateLimit: null };
      const submitted = messages.filter((_, place) => accepted.includes(place));
      const outcome = await batch(submitted, id);
      if (outcome.state !== "sent") return outcome;
      return { ...outcome, failed: [...refused, ...outcome.failed.flatMap((index) => accepted[index] ?? [])] };
    },
  };
}
