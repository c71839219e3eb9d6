import { data, redirect } from "react-router";
import { sendEmail } from "#app/email/sender.server.ts";
import { readOwnFriends } from "#app/features/referrals/own-friends.server.ts";
import { OwnFriendsSection } from "#app/features/referrals/own-friends.tsx";
import { appContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { logError } from "#app/server/log.ts";
import * as switches from "#app/switches.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { intents } from "#app/waitlist/my-data/entry-view.ts";
import { changeQuery, myDataPath } from "#app/waitlist/my-data/links.server.ts";
import {
  ANSWERS,
  Details,
  flashMessage,
  LIMITED,
  MyData,
  NEW_LINK,
  OwnPage,
  SHOW_DATA,
} from "#app/waitlist/my-data/my-data.tsx";
import {
  type ChangeOutcome,
  changeOwnAnswers,
  changeOwnEntry,
  entryTicket,
  readOwnEntry,
  requestNewLink,
  toEntryView,
} from "#app/waitlist/my-data/own-entry.server.ts";
import { checkOwnLimits } from "#app/waitlist/my-data/own-limits.server.ts";
import { readStoredData, toConsentRecord } from "#app/waitlist/my-data/stored-data.server.ts";
import { answerMessages } from "#app/waitlist/questions/answer-questions.server.ts";
import { answersOfForm, withAnswers } from "#app/waitlist/questions/answers.ts";
import { parseAnswers, typedAnswers } from "#app/waitlist/questions/questions.server.ts";
import { statedVersion, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import type { Route } from "./+types/my-data";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" }, hidesJoin: true };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const own = await readOwnEntry(app, params.token);
  const view = toEntryView(own);
  const hasFriends =
    switches.referrals && app.launchUrl === undefined && own.kind === "found" && view.kind === "active";
  const friends = hasFriends ? await readOwnFriends(app, own.entry.id) : null;
  const via = hasFriends ? await encodeCode(own.entry.id, app.hashKey) : undefined;
  const ticket = own.kind === "found" && view.kind === "active" ? entryTicket(own.entry, via) : null;
  // Only those who have left read what rejoining means.
  const hasFollowUps = view.kind === "unsubscribed" && (await readHasFollowUps(app));
  const message = flashMessage(url.searchParams, view);
  return data(
    { view, ticket, friends, message, record: toConsentRecord(own), hasFollowUps },
    { status: own.kind === "bad-link" ? 404 : 200 },
  );
}

/** Redirects after a change, so that reloading does not submit again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request);
  const submitted = form.get("intent");
  const wait = await checkOwnLimits(app, params.token, submitted);
  if (wait !== null) {
    const typed = submitted === ANSWERS ? withAnswers({}, typedAnswers(answersOfForm(form))) : undefined;
    return data({ kind: "limited", message: LIMITED, typed } as const, {
      status: 429,
      headers: { "Retry-After": String(wait) },
    });
  }
  if (submitted === NEW_LINK) {
    const requested = await requestNewLink(app, params.token);
    if (requested.kind === "bad-link") return data(null, { status: 404 });
    const { emailId } = requested;
    // After the response, whose time would reveal whether the entry still exists.
    if (emailId !== null)
      app.waitUntil(sendEmail(app, { id: emailId }).catch((error) => logError("new-link-failed", error)));
    return redirect(`${myDataPath(params.token)}?done=${NEW_LINK}`, 303);
  }
  if (submitted === SHOW_DATA) {
    const stored = await readStoredData(app, params.token);
    return stored === null ? redirect(myDataPath(params.token), 303) : ({ kind: SHOW_DATA, stored } as const);
  }
  if (submitted === ANSWERS) {
    const given = answersOfForm(form);
    const { answers, problem } = parseAnswers(given);
    if (problem === undefined)
      return responseTo(await changeOwnAnswers(app, params.token, answers), params.token, ANSWERS);
    const typed = withAnswers({}, typedAnswers(given));
    return data({ kind: ANSWERS, message: answerMessages[problem], typed } as const, { status: 422 });
  }
  const intent = intents.find((known) => known === submitted);
  if (intent === undefined) return data(null, { status: 400 });
  const wording = statedVersion(form.get(WORDING_FIELD)) ?? null;
  return responseTo(await changeOwnEntry(app, params.token, intent, wording), params.token, intent);
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

function responseTo(outcome: ChangeOutcome, token: string, change: string) {
  if (outcome.kind === "bad-link") return data(null, { status: 404 });
  if (outcome.kind === "expired") return redirect(myDataPath(token), 303);
  return redirect(myDataPath(token) + changeQuery(change, outcome), 303);
}

export default function YourData({ loaderData, actionData, params }: Route.ComponentProps) {
  const path = `/your-data/${params.token}`;
  const { friends, ...shown } = loaderData;
  if (actionData?.kind === SHOW_DATA) {
    return <StoredDataPage stored={actionData.stored} path={path} />;
  }
  return (
    <MyData {...shown} message={actionData?.message ?? loaderData.message} typed={actionData?.typed}>
      {friends === null ? null : <OwnFriendsSection friends={friends} />}
    </MyData>
  );
}

type StoredData = NonNullable<Awaited<ReturnType<typeof readStoredData>>>;

function StoredDataPage({ stored: { details, emails }, path }: { stored: StoredData; path: string }) {
  return (
    <OwnPage heading="Your data" scene="ledger" isLong>
      <p className="lead">This is what we store about you. Empty fields are left out. Times are in UK time.</p>
      <Details rows={details} />
      <section aria-labelledby="emails">
        <h2 id="emails">Emails to you</h2>
        {emails.length === 0 ? <p>We have no record of any.</p> : <Details rows={emails} />}
      </section>
      <p>
        We also store a keyed hash of your mailbox, which limits how many emails it gets. It means nothing without our
        key, so it isn’t shown.
      </p>
      <form className="your-entry-download" method="post" action={`${path}/export`}>
        <button className="button" type="submit">
          Download my data
        </button>
        <p>Every field, as a JSON file that other programs can read.</p>
      </form>
      <p>
        <a className="quiet-link" href={path}>
          Back to your entry
        </a>
      </p>
    </OwnPage>
  );
}
