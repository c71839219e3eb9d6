import { DecideForm, DecisionText } from "#app/features/referrals/owner/decide-form.server.tsx";
import {
  acceptReferral,
  findReferral,
  listReferrals,
  refuseReferral,
} from "#app/features/referrals/owner/referrals.server.ts";
import {
  entryLink,
  type ReferralsState,
  referralsView,
  withReferralsState,
} from "#app/features/referrals/owner/referrals-view.server.tsx";
import { readFunnel, referrerLines, topReferrers } from "#app/features/referrals/owner/referrers.server.ts";
import { listRewards, markReward, milestoneLines } from "#app/features/referrals/owner/rewards.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { milestones } from "#app/site.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";

export async function showReferrals(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const state = stateOf(c);
  const [funnel, top, found, rewards] = await Promise.all([
    readFunnel(db),
    topReferrers(db),
    listReferrals(db, state.list, state.page, state.of),
    listRewards(db, state.reached),
  ]);
  return c.render(referralsView({ state, funnel, top, found, rewards, timeZone }));
}

/** One referral: what the owner gets back if the note on it is not valid. */
export async function showReferral(c: OwnerContext, rejected?: { text: string; problem: string }) {
  const referral = await findReferral(c.var.app.db, idOf(c));
  if (referral === null) return c.notFound();
  if (rejected !== undefined) c.status(422);
  const { entryId, email, referrerId, referrerEmail } = referral;
  const back = backTo(c);
  return c.render(
    <Page title="Referral" section="referrals" back={{ href: back, name: "Back" }}>
      <Facts
        facts={[
          ["Friend", entryLink(entryId, email)],
          ["Brought by", entryLink(referrerId, referrerEmail)],
          ["Outcome", <DecisionText key="outcome" {...referral} />],
        ]}
      />
      <DecideForm
        referral={referral}
        action={back.includes("/entries/") ? `/owner/referrals/${entryId}?from=entry` : `/owner/referrals/${entryId}`}
        rejected={rejected}
      />
    </Page>,
  );
}

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

function stateOf(c: OwnerContext): ReferralsState {
  return {
    list: c.req.query("list") === "counted" ? "counted" : "to-check",
    page: Math.max(1, parseId(c.req.query("page")) ?? 1),
    of: parseId(c.req.query("of")) ?? null,
    reached: Math.max(1, parseId(c.req.query("reached")) ?? 1),
  };
}

/** Of an entry. */
function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
