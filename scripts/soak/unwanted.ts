import { rejoinSubject } from "#app/email/templates/rejoin-email.server.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { Departure } from "#scripts/soak/people.ts";

interface Evidence {
  accepted: AcceptedEmail[];
  departures: Departure[];
}

/**
 * Finds who was emailed after a complaint, a bounce, leaving or erasure: an email that the provider accepted after the
 * response to the departure. After a return, people who left may get one email that asks whether they want to rejoin, and
 * people who were erased are new.
 *
 * @param returned when people entered their address again, by address
 */
export function unwantedEmails({ accepted, departures }: Evidence, returned: Map<string, number>) {
  const emails = Map.groupBy(accepted, ({ to }) => to);
  const after = (
    kind: Departure["kind"],
    isAllowed: (departure: Departure, email: AcceptedEmail, nth: number) => boolean,
  ) =>
    departures
      .filter((one) => one.kind === kind)
      .filter((one) => {
        const later = (emails.get(one.email) ?? []).filter(({ at }) => at > one.at);
        return later.some((email, nth) => !isAllowed(one, email, nth));
      })
      .map(({ email }) => email);
  const hasReturned = ({ email, at }: Departure, before: number) => {
    const time = returned.get(email);
    return time !== undefined && time >= at && time <= before;
  };
  return {
    "emailed after a complaint": after("complaint", () => false),
    "emailed after a bounce": after("bounce", () => false),
    "emailed after leaving": after(
      "left",
      (left, email, nth) => hasReturned(left, email.at) && nth === 0 && asks(email),
    ),
    "emailed after erasure": after("erased", (erased, email) => hasReturned(erased, email.at)),
  };
}

/** Whether the email asks a former subscriber if they want to rejoin. */
function asks({ subject }: AcceptedEmail): boolean {
  return subject === rejoinSubject;
}
