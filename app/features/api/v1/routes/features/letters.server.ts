import { DEFAULT_LIMIT, pagingQuery, readCursor, writeCursor } from "#app/features/api/v1/paging.server.ts";
import { defineRoute } from "#app/features/api/v1/route.server.ts";
import { fromRow, toTime } from "#app/features/api/v1/schemas/common.server.ts";
import { letterSchema } from "#app/features/api/v1/schemas/index.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { findLetter, listLetters, type ShownLetter, shownState } from "#app/features/letters/send/letters.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { letters as hasLetters } from "#app/switches.ts";

const states = ["draft", "scheduled", "sending", "stopped", "finished"] as const;

/** Names this list in cursors. */
const LIST = "letters";

const listLettersRoute = defineRoute({
  method: "get",
  path: "/letters",
  id: "listLetters",
  summary: "List letters",
  description: "Newest first, drafts among them.",
  scope: "letters:read",
  query: pagingQuery,
  responses: { 200: { description: "A page of the list.", schema: "LetterList" } },
  async handle({ app, query: { limit = DEFAULT_LIMIT, cursor } }) {
    const after = readCursor(LIST, cursor, 1);
    if (after !== undefined && "problem" in after) return after;
    const found = await listLetters(app.db, { states, limit: limit + 1, before: after?.[0] });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? writeCursor(LIST, last.id) : null;
    const { siteUrl } = app.emailContext;
    return { status: 200, body: { letters: page.map((letter) => toResponse(letter, siteUrl)), next_cursor: next } };
  },
});

const getLetterRoute = defineRoute({
  method: "get",
  path: "/letters/{id}",
  id: "getLetter",
  summary: "Get a letter and its results",
  scope: "letters:read",
  responses: { 200: { description: "The letter. A draft has no results.", schema: "Letter" } },
  async handle({ app, id }) {
    const letter = await findLetter(app.db, id);
    // What was sent as a step of the series is no letter of its own.
    if (letter === null || letter.step_id !== null)
      return { problem: "not-found", detail: "There is no letter with this id." };
    const stats = letter.started_at === null ? null : await results(app, letter);
    return { status: 200, body: { ...toResponse(letter, app.emailContext.siteUrl), stats } };
  },
});

export const featureRoutes = hasLetters ? [listLettersRoute, getLetterRoute] : [];

function toResponse(letter: ShownLetter, siteUrl: string) {
  return {
    ...fromRow(letter, letterSchema),
    state: shownState(letter),
    url: letter.is_public && letter.started_at !== null ? `${siteUrl}/letters/${letter.id}` : null,
    scheduled_for: toTime(letter.state === "draft" ? null : letter.scheduled_for),
  };
}

async function results({ db, emailContext }: AppContext, letter: ShownLetter) {
  const { days, reasons: _, bouncedSoftly, ...stats } = await readLetterStats(db, letter, emailContext.ownerTimeZone);
  return {
    ...stats,
    bounced_softly: bouncedSoftly,
    days: days.map(({ bouncedSoftly: softly, ...day }) => ({ ...day, bounced_softly: softly })),
  };
}
