import { MAX_URL, urlProblem } from "#app/features/webhooks/endpoint-url.server.ts";
import type { EndpointChoice } from "#app/features/webhooks/endpoints.server.ts";
import { eventLabelsOf, events } from "#app/features/webhooks/events.ts";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { ChoiceField, Field, FieldProblem } from "#app/owner/ui/field.server.tsx";
import { fieldText } from "#app/server/http/read-form.server.ts";

/** An endpoint as typed. */
export interface GivenEndpoint extends EndpointChoice {
  /** Why it cannot be stored; null if it can. */
  problems: { url?: string; events?: string } | null;
}

export function readEndpoint(form: FormData, siteUrl: string): GivenEndpoint {
  const url = fieldText(form, "url");
  const inUrl = urlProblem(url, siteUrl);
  const chosen = events.filter((event) => form.getAll("events").includes(event));
  const problems = {
    ...(inUrl === null ? {} : { url: inUrl }),
    ...(chosen.length > 0 ? {} : { events: "Choose at least one event." }),
  };
  return {
    url,
    events: chosen,
    has_personal_data: form.get("personal") === "yes",
    problems: Object.keys(problems).length === 0 ? null : problems,
  };
}

interface EndpointFormProps extends EndpointChoice {
  action: string;
  button: string;
  problems?: GivenEndpoint["problems"];
}

export function EndpointForm({ action, button, problems, ...endpoint }: EndpointFormProps) {
  return (
    <form className="form" method="post" action={action}>
      <Field
        name="url"
        label="URL"
        hint="Copy it from the other program. Keep it secret: anyone who knows it may be able to send false events there."
        type="url"
        inputMode="url"
        required
        maxLength={MAX_URL}
        autoCapitalize="none"
        spellCheck={false}
        value={endpoint.url}
        problem={problems?.url}
      />
      <div>
        <ChoiceField
          name="events"
          legend="Events"
          type="checkbox"
          options={eventLabelsOf(events)}
          value={endpoint.events}
        />
        <FieldProblem id="events-problem">{problems?.events}</FieldProblem>
      </div>
      <div>
        <ChoiceField
          name="personal"
          legend="Personal data in events"
          options={{ no: "Only the number of the entry", yes: "Email address and answers too" }}
          value={endpoint.has_personal_data ? "yes" : "no"}
        />
        <p className="hint">
          Share addresses only with a service that you have a data processing agreement with and that your privacy
          policy names.
        </p>
      </div>
      <Actions>
        <Button label={button} value="save" />
      </Actions>
    </form>
  );
}
