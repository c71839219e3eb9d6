import { data, redirect } from "react-router";
import { sendEmailLater } from "#app/email/sender.server.ts";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { type AppContext, appContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import * as switches from "#app/switches.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, findEntry } from "#app/waitlist/entries/entries.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/entries/sources.ts";
import { confirmPath } from "#app/waitlist/my-data/links.server.ts";
import { BadLink, Gone, OwnPage } from "#app/waitlist/my-data/my-data.tsx";
import { entryTicket, logOwnChange, maskEmail } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyConfirmToken } from "#app/waitlist/my-data/token.server.ts";
import { ANSWER_PERIOD, createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { handleAnswersForm } from "#app/waitlist/sign-up/form-action.server.ts";
import { Ticket } from "#app/waitlist/sign-up/ticket/ticket.tsx";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";
import type { Route } from "./+types/confirm";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" }, hidesJoin: true };

type ConfirmView =
  | { kind: "bad-link" }
  | { kind: "gone" }
  | { kind: "unconfirmed" | "unsubscribed"; masked: string }
  | { kind: "confirmed"; masked: string; ticket: TicketData };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const view = await readConfirmation(context.get(appContext), params.token);
  const message = view.kind === "confirmed" ? confirmMessage(url.searchParams) : null;
  return data({ view, message }, { status: view.kind === "bad-link" ? 404 : 200 });
}

async function readConfirmation(app: AppContext, token: string): Promise<ConfirmView> {
  const confirmed = await verifyConfirmToken(token, app.linkSecrets);
  if (confirmed === null) return { kind: "bad-link" };
  const entry = await findEntry(app.db, confirmed.entryId);
  if (entry === null) return { kind: "gone" };
  if (entry.address_changed_at !== confirmed.addressChangedAt) return { kind: "bad-link" };
  const masked = maskEmail(entry.email);
  if (entry.status === "unsubscribed") return { kind: "unsubscribed", masked };
  if (confirmationOf(entry) === "unconfirmed") return { kind: "unconfirmed", masked };
  return { kind: "confirmed", masked, ticket: await ticketOf(entry, app) };
}

/** Asks the questions for an hour after the confirmation: the link works for longer, and is for nothing else. */
async function ticketOf(entry: Entry, { linkSecrets, hashKey, launchUrl, now }: AppContext): Promise<TicketData> {
  const code = await encodeCode(entry.id, hashKey);
  const via = switches.referrals && launchUrl === undefined ? code : undefined;
  const confirmedFor = now() - (entry.confirmed_at ?? 0);
  const ticket = entryTicket(entry, via);
  if (askedQuestions().length === 0 || confirmedFor > ANSWER_PERIOD) return ticket;
  return { ...ticket, answerToken: await createAnswerToken(code, now(), linkSecrets[0] ?? "") };
}

/** The result of the last change, from a query such as `?done=confirm`. */
function confirmMessage(search: URLSearchParams): string | null {
  if (search.get("done") === "confirm") return "Thank you. Your address is confirmed.";
  return search.get("already") === "confirm" ? "Your address was already confirmed." : null;
}

/**
 * Confirms the address of the token's entry. Idempotent. It puts no one back on the list: someone who left after the email
 * was sent stays unsubscribed. Redirects, so that reloading does not submit again. Without JavaScript, the ticket's
 * answers are posted here too.
 */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request);
  if (form.has(ANSWER_TOKEN_FIELD)) return handleAnswersForm(app, form);
  const confirmed = await verifyConfirmToken(params.token, app.linkSecrets);
  if (confirmed === null) return data(null, { status: 404 });
  const { entryId: id, addressChangedAt } = confirmed;
  const now = app.now();
  const { milestones } = siteSettings();
  const after = app.mustConfirm ? app.entryHooks.onConfirmed?.(app.db, { entryId: id, now, milestones }) : [];
  const email = await confirmEntry(app.db, id, now, { addressChangedAt, after });
  logOwnChange(id, "confirm", email !== null);
  if (email !== null) sendEmailLater(app, { email });
  return redirect(`${confirmPath(params.token)}?${email === null ? "already" : "done"}=confirm`, 303);
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

const scenes = {
  "bad-link": "pitch",
  gone: "pitch",
  unconfirmed: "envelope",
  confirmed: "envelope",
  unsubscribed: "packing",
} as const;

/** The page behind a confirmation link. A button, because email scanners open links. */
export default function ConfirmPage({ loaderData: { view, message }, actionData }: Route.ComponentProps) {
  const { answerToken, answers } = actionData?.ticket ?? {};
  return (
    <OwnPage
      heading={view.kind === "confirmed" ? "You’re on the list" : "Confirm your address"}
      scene={scenes[view.kind]}
      message={message}
    >
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "unsubscribed" ? (
        <p className="lead">
          <strong>{view.masked}</strong> is no longer on the waitlist.
        </p>
      ) : null}
      {view.kind === "confirmed" ? (
        <>
          <p className="lead">
            <strong>{view.masked}</strong> is on the waitlist.
          </p>
          <div className="sign-up-ticket" data-hydrate="now">
            <Ticket
              {...view.ticket}
              {...(answers && { answerToken, answers })}
              id="confirmed"
              source={DEFAULT_SOURCE}
            />
          </div>
        </>
      ) : null}
      {view.kind === "unconfirmed" ? (
        <form method="post">
          <p className="lead">
            Is <strong>{view.masked}</strong> your address, and do you want to be on the waitlist?
          </p>
          <button className="button" type="submit">
            Confirm my address
          </button>
        </form>
      ) : null}
    </OwnPage>
  );
}
