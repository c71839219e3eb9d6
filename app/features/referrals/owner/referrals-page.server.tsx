import { DecideForm, DecisionText, type RejectedNote } from "#app/features/referrals/owner/decide-form.server.tsx";
import {
  acceptReferral,
  findReferral,
  listReferrals,
  refuseReferral,
} from "#app/features/referrals/owner/referrals.server.ts";
import {
  entryLink,
  type ReferralsState,
  withReferralsState,
} from "#app/features/referrals/owner/referrals-state.server.tsx";
import { referralsView } from "#app/features/referrals/owner/referrals-view.server.tsx";
import { readFunnel, referrerLines, topReferrers } from "#app/features/referrals/owner/referrers.server.ts";
import {
  listRewards,
  markRewards,
  milestoneLines,
  type RewardKey,
} from "#app/features/referrals/owner/rewards.server.ts";
import { decideWaiting, waitingDomains } from "#app/features/referrals/owner/waiting.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { type OwnerContext, pageToChange, parseId } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { everyMilestone, siteSettings } from "#app/server/config/settings.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";

const DOMAINS = 10;

/** @param rejected a note on a decision about many, and their domain */
export async function showReferrals(c: OwnerContext, rejected?: RejectedNote & { domain: string | null }) {
  const { db, now, timeZone, mustConfirm } = c.var.app;
  const state = stateOf(c);
  const [funnel, domains, top, found, rewards] = await Promise.all([
    readFunnel(db),
    waitingDomains(db, { domain: state.domain, limit: DOMAINS }),
    topReferrers(db),
    listReferrals(db, state.list, state.page, state),
    listRewards(db, state.reached),
  ]);
  if (rejected !== undefined) c.status(422);
  const seen = now();
  const { milestones } = siteSettings();
  return c.render(
    referralsView({
      ...{ state, funnel, domains, seen, rejected, top, found, rewards, milestones, mustConfirm, timeZone },
      pages: { rewards: pageToChange(c, "rewards"), signUps: pageToChange(c, "sign-ups") },
    }),
  );
}

/** One referral: what the owner gets back if the note on it is not valid. */
export async function showReferral(c: OwnerContext, rejected?: RejectedNote) {
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
      ? await acceptReferral(db, decision, mustConfirm ? siteSettings().milestones : [])
      : await refuseReferral(db, decision);
  if (isChanged) await c.var.record(`${intent}-referral`, { entryId: decision.entryId });
  return c.redirect(backTo(c, isChanged ? `${intent}-referral` : "unchanged"), 303);
}

/** Decides about all friends who wait, or those at one domain. */
export async function decideReferrals(c: OwnerContext) {
  const { form, app } = c.var;
  const intent = form.get("intent");
  const seen = parseId(fieldText(form, "seen"));
  const domain = fieldText(form, "domain") || null;
  if ((intent !== "accept" && intent !== "refuse") || seen === undefined) return badRequest(c);
  const { note, problem } = parseNote(form.get("note") ?? "");
  if (problem !== undefined) return showReferrals(c, { domain, text: note ?? "", problem });
  const decision = { intent, domain, seen, note, by: c.var.owner.email } as const;
  const { decided, left } = await decideWaiting(app, decision, app.mustConfirm ? siteSettings().milestones : []);
  const done = left === undefined ? (decided > 0 ? `${intent}-referrals` : "unchanged") : `decided-some-${left}`;
  return c.redirect(withReferralsState("/owner/referrals", { ...stateOf(c), domain: null, page: 1 }, done), 303);
}

/** Marks rewards as given: those that are ticked, or all that were shown. Takes one back. */
export async function changeRewards(c: OwnerContext) {
  const give = (name: string) => markGiven(c, rewardsIn(c, name));
  return runIntent(c, {
    "give-ticked": () => give("reward"),
    "give-shown": () => give("shown"),
    "take-back": async () => {
      const [taken] = await markRewards(c.var.app.db, rewardsIn(c, "reward").slice(0, 1), null);
      if (taken !== undefined) await c.var.record("take-back-reward", { ...taken });
      return c.redirect(backTo(c, taken === undefined ? "unchanged" : "take-back-reward"), 303);
    },
  });
}

async function markGiven(c: OwnerContext, rewards: RewardKey[]) {
  if (rewards.length === 0) return c.redirect(backTo(c, "none-ticked"), 303);
  const { db, now } = c.var.app;
  const [first, ...others] = await markRewards(db, rewards, now());
  if (first === undefined) return c.redirect(backTo(c, "unchanged"), 303);
  if (others.length === 0) await c.var.record("give-reward", { ...first });
  else await c.var.record("give-rewards", { rewards: 1 + others.length });
  return c.redirect(backTo(c, others.length === 0 ? "give-reward" : "give-rewards"), 303);
}

/** The fields that name rewards. */
function rewardsIn(c: OwnerContext, name: string): RewardKey[] {
  return c.var.form.getAll(name).flatMap((value) => {
    const [entryId, friends] = String(value).split(".").map(parseId);
    return entryId === undefined || friends === undefined ? [] : { entryId, friends };
  });
}

export function downloadReferrers(c: OwnerContext) {
  return download(c, "referrers", referrerLines(c.var.app.db));
}

export function downloadMilestones(c: OwnerContext) {
  return download(c, "milestones", milestoneLines(c.var.app.db, everyMilestone()));
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
    domain: c.req.query("domain") || null,
    reached: Math.max(1, parseId(c.req.query("reached")) ?? 1),
  };
}

/** Of an entry. */
function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
