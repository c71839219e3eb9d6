import { urlProblem } from "#app/features/webhooks/endpoint-url.server.ts";
import type { EndpointChoice } from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

export interface GivenEndpoint extends EndpointChoice {
  problems: { url?: string; events?: string };
}

export function readEndpoint(form: FormData, siteUrl: string): GivenEndpoint {
  const chosen = form.getAll("events");
  const given: GivenEndpoint = {
    url: fieldText(form, "url"),
    events: events.filter((event) => chosen.includes(event)),
    has_personal_data: form.get("personal") === "yes",
    problems: {},
  };
  const problem = urlProblem(given.url, siteUrl);
  if (problem !== null) given.problems.url = problem;
  if (given.events.length === 0) given.problems.events = "Choose at least one event.";
  return given;
}

export function isRefused({ problems }: GivenEndpoint): boolean {
  return Object.keys(problems).length > 0;
}
