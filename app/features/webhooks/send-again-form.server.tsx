import type { GivenSince } from "#app/features/webhooks/read-since.ts";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { DEAD_DAYS, DONE_DAYS } from "#app/server/queue.server.ts";

interface SendAgainProps {
  /** Of the endpoint. */
  id: number;
  given: GivenSince;
  isRefused: boolean;
  timeZone: string;
}

export function SendAgainForm({ id, given, isRefused, timeZone }: SendAgainProps) {
  return (
    <Section id="again" title="Send events again">
      <p>
        {`Use this if the other program was down or lost events. Each event keeps its id, so the program can skip those it already has. Accepted events are stored for ${DONE_DAYS} days, failed ones for ${DEAD_DAYS}.`}
      </p>
      <form className="form" method="post" action={`/owner/webhooks/${id}`}>
        <Field
          name="since"
          label={`Since (day and time in ${timeZone})`}
          type="datetime-local"
          value={given.time}
          problem={isRefused ? "Choose a day and a time." : undefined}
        />
        <Choice
          name="which"
          legend="Which"
          options={{ failed: "Those that failed", all: "All that are stored" }}
          value={given.which}
        />
        <input type="hidden" name="ended" value={given.endedBefore} />
        <Actions>
          <Button label="Send these events again" kind="quiet" value="again-since" />
        </Actions>
      </form>
    </Section>
  );
}
