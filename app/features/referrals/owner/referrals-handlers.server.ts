import {
  acceptReferral,
  findReferral,
  listReferrals,
  refuseReferral,
} from "#app/features/referrals/owner/decisions.server.ts";
import { referralView } from "#app/features/referrals/owner/referral-view.server.tsx";
import { readReferralsState, withReferralsState } from "#app/features/referrals/owner/referrals-state.ts";
import { referralsView } from "#app/features/referrals/owner/referrals-view.server.tsx";
import { readFunnel, referrerLines, topReferrers } from "#app/features/referrals/owner/referrers.server.ts";
import { listReached, markReward, milestoneLines } from "#app/features/referrals/owner/rewards.server.ts";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { localDate } from "#app/server/time-zone-days.ts";
import { milestones } from "#app/site.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";

export async function showReferrals(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const state = stateOf(c);
  const [funnel, top, found, reached] = await Promise.all([
    readFunnel(db),
    topReferrers(db),
    listReferrals(db, state.list, state.page, state.of),
    listReached(db, state.reached),
  ]);
  return c.render(referralsView({ state, funnel, top, found, reached, milestones, timeZone }));
}

/** One referral, with what is wrong with the note on it. */
export async function showReferral(c: OwnerContext, rejected?: { text: string; problem: string }) {
  const referral = await findReferral(c.var.app.db, idOf(c));
  if (referral === null) return c.notFound();
  if (rejected !== undefined) c.status(422);
  return c.render(referralView({ referral, rejected, back: backTo(c) }));
}

/** Counts or refuses a referral. */
export async function decideReferral(c: OwnerContext) {
  const { db, now, mustConfirm } = c.var.app;
  const intent = c.var.form.get("intent");
  if (intent !== "accept" && intent !== "refuse") return badRequest(c);
  const { note, problem } = parseNote(c.var.form.get("note") ?? "");
  if (problem !== undefined) return showReferral(c, { text: note ?? "", problem });
  const decision = { entryId: idOf(c), note, now: now() };
  const isChanged =
    intent === "accept"
      ? await acceptReferral(db, decision, mustConfirm ? milestones : [])
      : await refuseReferral(db, decision);
  if (isChanged) await c.var.record(`${intent}-referral`, { entryId: decision.entryId });
  return c.redirect(backTo(c, isChanged ? `${intent}-referral` : "unchanged"), 303);
}

/** Marks a reward as given, or takes that back. */
export async function changeReward(c: OwnerContext) {
  const { db, now } = c.var.app;
  const intent = c.var.form.get("intent");
  const friends = parseId(String(c.var.form.get("friends")));
  if ((intent !== "give" && intent !== "take-back") || friends === undefined) return badRequest(c);
  const rewardedAt = intent === "give" ? now() : null;
  const isChanged = await markReward(db, { entryId: idOf(c), friends, rewardedAt });
  if (isChanged) await c.var.record(`${intent}-reward`, { entryId: idOf(c), friends });
  return c.redirect(backTo(c, isChanged ? `${intent}-reward` : "unchanged"), 303);
}

export function downloadReferrers(c: OwnerContext) {
  return download(c, "referrers", referrerLines(c.var.app.db));
}

export function downloadMilestones(c: OwnerContext) {
  return download(c, "milestones", milestoneLines(c.var.app.db, milestones));
}

/** Recorded at the start, because an interrupted download has already revealed addresses. */
async function download(c: OwnerContext, file: "referrers" | "milestones", lines: AsyncGenerator<string>) {
  const { now, timeZone } = c.var.app;
  await c.var.record("export-referrals", { file });
  const name = `${file}-${localDate(now(), timeZone)}.csv`;
  return downloadCsv(c, name, streamText(lines, "referrals-download-failed"));
}

/** The page that a form was on: that of the friend's entry, or the list. */
function backTo(c: OwnerContext, done?: string): string {
  if (c.req.query("from") !== "entry") return withReferralsState("/owner/referrals", stateOf(c), done);
  return `/owner/entries/${idOf(c)}${done === undefined ? "" : `?done=${done}`}`;
}

function stateOf(c: OwnerContext) {
  return readReferralsState(new URL(c.req.url).searchParams);
}

/** Of an entry. */
function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
