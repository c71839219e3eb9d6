import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { countSent } from "#app/features/letters/send/letter-stats.server.ts";
import {
  hasAudiencePause,
  isMissed,
  type Letter,
  listLetters,
  shown,
  shownState,
} from "#app/features/letters/send/letters.server.ts";
import { about, pausedBecause, pauseText } from "#app/features/letters/write/letter-status.server.ts";
import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { type AttentionItem, type OwnerContext, parseId, type UpcomingItem } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { type LetterState, letters } from "#app/server/db/schema/letters.server.ts";
import { site } from "#app/site.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

const letterLists = [
  { id: "under-way", title: "Under way", states: ["scheduled", "sending"] },
  { id: "drafts", title: "Drafts", states: ["draft"] },
  { id: "past", title: "Sent", states: ["finished", "stopped"] },
] as const;

const PAGE_SIZE = 20;

const letterStates: Record<LetterState | "paused", string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  stopped: "Stopped",
  finished: "Sent",
};

/** The newest letters of each list, or a further page of one list. */
export async function showLetters(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const chosen = letterLists.filter(({ id }) => id === c.req.query("list"));
  const page = chosen.length === 0 ? 1 : Math.max(1, parseId(c.req.query("page")) ?? 1);
  const lists = await Promise.all(
    (chosen.length === 0 ? letterLists : chosen).map(async (list) => {
      const found = await listLetters(db, { ...list, limit: PAGE_SIZE + 1, skipped: (page - 1) * PAGE_SIZE });
      return { ...list, letters: found.slice(0, PAGE_SIZE), hasOlder: found.length > PAGE_SIZE };
    }),
  );
  const ended = lists.flatMap(({ letters }) => letters.filter(hasEnded));
  const sent = await countSent(
    db,
    ended.map((letter) => letter.id),
  );
  const isEmpty = lists.every(({ letters }) => letters.length === 0);
  if (page > 1 && isEmpty) return c.redirect("/owner/letters", 303);
  const href = (list: string, to: number) => (to === 1 ? "/owner/letters" : `/owner/letters?list=${list}&page=${to}`);
  return c.render(
    <Page title="Letters" section="letters" aside={<ButtonLink label="Write a letter" href="/owner/letters/new" />}>
      <Outcome />
      {isEmpty ? (
        <>
          <p className="lead">A letter is an email that you write to many people on the waitlist.</p>
          <ol>
            <li>Write it, and look at it as your readers will.</li>
            <li>
              Choose whom it is for: everyone, all {site.host.many}, or the first hundred who have not been invited.
            </li>
            <li>Send it to yourself, then to them. Each person gets it once, and can unsubscribe with one click.</li>
          </ol>
          <p>You have not written one yet. If you like, begin with one that says that {site.name} is open.</p>
          <ButtonLink label="Begin with “We’re open”" kind="quiet" href="/owner/letters/new?start=opening" />
        </>
      ) : null}
      {lists.map(({ id, title, letters, hasOlder }) =>
        letters.length === 0 ? null : (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{page === 1 ? title : `${title}, page ${page}`}</h2>
            <Table
              className="cards"
              labelledBy={id}
              columns={[
                {
                  name: "Subject",
                  kind: "words",
                  cell: (letter) => (
                    <a href={`/owner/letters/${letter.id}`}>{fillGreetings(letter.subject, null) || "No subject"}</a>
                  ),
                },
                {
                  name: "State",
                  cell: (letter) => (
                    <>
                      {letterStates[shownState(letter)]}
                      {letter.pause !== null && shownState(letter) === "paused" ? (
                        <small>{pauseText(letter.pause.reason)}</small>
                      ) : null}
                    </>
                  ),
                },
                { name: "When", cell: (letter) => formatTime(timeOf(letter), timeZone) },
                {
                  name: "People",
                  kind: "number",
                  cell: (letter) =>
                    letter.state === "draft"
                      ? "–"
                      : formatNumber(hasEnded(letter) ? (sent.get(letter.id) ?? 0) : letter.expected),
                },
              ]}
              rows={letters}
              rowKey={(letter) => letter.id}
            />
            <Paging
              label={`Pages: ${title}`}
              links={{ Newer: page > 1 && href(id, page - 1), Older: hasOlder && href(id, page + 1) }}
            />
          </section>
        ),
      )}
    </Page>,
  );
}

/** Whether it is sent to no one else, so that those it was sent to count, and not those it was meant for. */
function hasEnded({ state }: Letter): boolean {
  return state === "finished" || state === "stopped";
}

function timeOf({ state, updated_at, scheduled_for, started_at, finished_at }: Letter): number {
  if (state === "draft") return updated_at;
  return (state === "scheduled" ? scheduled_for : (finished_at ?? started_at)) ?? updated_at;
}

/** Those that start by themselves, the next one first, with how many people the owner confirmed: more may match by then. */
export async function scheduledLetters(c: OwnerContext): Promise<UpcomingItem[]> {
  const { id, subject, state, scheduled_for, expected } = letters;
  const found = await c.var.app.db
    .select({ id, subject, at: scheduled_for, expected })
    .from(letters)
    .where(and(eq(state, "scheduled"), sql`NOT ${hasAudiencePause}`))
    .orderBy(asc(scheduled_for), asc(id))
    .limit(PAGE_SIZE);
  return found.map((letter) => ({
    at: letter.at ?? 0,
    name: fillGreetings(letter.subject, null),
    href: `/owner/letters/${letter.id}`,
    text: `letter to ${about(letter.expected)}`,
  }));
}

/**
 * Letters that wait for the owner: paused ones, those that missed their time or did not start at it, and those with unknown outcomes. The pause
 * after the first recipients was planned and ends by itself. `seriesInNeed` has those of the series.
 */
export async function lettersInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { id, state, step_id } = letters;
  const unknown = sql<number>`EXISTS (SELECT 1 FROM letter_batches INDEXED BY letter_batches_dead
    WHERE letter_id = letters.id AND dead_at IS NOT NULL)`;
  const found = await c.var.app.db
    .select({ id, subject: letters.subject, state, isMissed, pause: shown.pause, unknown })
    .from(letters)
    .where(and(isNull(step_id), or(inArray(state, ["sending", "scheduled"]), isMissed, unknown)))
    .orderBy(asc(id));
  return found.flatMap((letter) => {
    const subject = fillGreetings(letter.subject, null);
    const needs = [
      letter.unknown ? "has emails that the provider never confirmed, so you have to decide about them" : null,
      letter.isMissed ? "could not be sent at its time, and is a draft again" : null,
      letter.pause === null || letter.pause.reason === "first-recipients" ? null : pausedBecause(letter.pause.reason),
    ];
    const need = needs.find((text) => text !== null);
    if (need === undefined) return [];
    const action = { label: "Open the letter", about: subject, href: `/owner/letters/${letter.id}` };
    return [{ text: `“${subject}” ${need}.`, action }];
  });
}
