import { DecideForm, RulingText } from "#app/features/referrals/owner/decide-form.server.tsx";
import {
  acceptReferral,
  findReferral,
  listReferrals,
  type Referral,
  refuseReferral,
} from "#app/features/referrals/owner/decisions.server.ts";
import { ReachedMilestones, type ReachedProps } from "#app/features/referrals/owner/reached-milestones.server.tsx";
import {
  type ReferralsState,
  readReferralsState,
  withReferralsState,
} from "#app/features/referrals/owner/referrals-state.ts";
import { ReferralsToCheck } from "#app/features/referrals/owner/referrals-to-check.server.tsx";
import {
  type Funnel,
  type Referrer,
  readFunnel,
  referrerLines,
  topReferrers,
} from "#app/features/referrals/owner/referrers.server.ts";
import { listReached, markReward, milestoneLines } from "#app/features/referrals/owner/rewards.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Facts, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { milestones } from "#app/site.ts";
import { visits } from "#app/switches.ts";
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

export async function showReferral(c: OwnerContext, rejected?: { text: string; problem: string }) {
  const referral = await findReferral(c.var.app.db, idOf(c));
  if (referral === null) return c.notFound();
  if (rejected !== undefined) c.status(422);
  return c.render(referralView({ referral, rejected, back: backTo(c) }));
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

function stateOf(c: OwnerContext) {
  return readReferralsState(new URL(c.req.url).searchParams);
}

/** Of an entry. */
function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

interface ReferralsProps extends Omit<ReachedProps, "found"> {
  state: ReferralsState;
  funnel: Funnel;
  top: Referrer[];
  found: { referrals: Referral[]; hasNext: boolean };
  reached: ReachedProps["found"];
}

function referralsView({ state, funnel, top, found, reached, milestones, timeZone }: ReferralsProps) {
  const hasMilestones = milestones.length > 0 || reached.reached.length > 0 || state.reached > 1;
  return (
    <Page title="Referrals" section="referrals">
      <Outcome />
      <p className="lead">Friends who joined through the personal links of people on the list. Only owners see this.</p>
      <dl className="tiles">
        <Tile name="People whose link brought someone" value={funnel.people} />
        {visits ? <Tile name="Visits through personal links" value={funnel.visits} /> : null}
        <Tile name="Joined through a link" value={funnel.joined} />
        <Tile name="Counted" value={funnel.counted} main />
      </dl>
      {funnel.joined === 0 && top.length === 0 ? (
        <p className="none">No one has joined through a personal link yet.</p>
      ) : (
        <ReferralsToCheck state={state} found={found} waiting={funnel.waiting} />
      )}
      {hasMilestones ? (
        <ReachedMilestones state={state} found={reached} milestones={milestones} timeZone={timeZone} />
      ) : null}
      <TopReferrers top={top} people={funnel.people} hasMilestones={hasMilestones} />
    </Page>
  );
}

interface ReferralProps {
  referral: Referral;
  rejected: { text: string; problem: string } | undefined;
  back: string;
}

/** One referral: what the owner gets back if the note on it is not valid. */
function referralView({ referral, rejected, back }: ReferralProps) {
  const { entryId, email, referrerId, referrerEmail } = referral;
  return (
    <Page title="Referral" section="referrals" back={{ href: back, name: "Back" }}>
      <Facts
        facts={[
          ["Friend", entryLink(entryId, email)],
          ["Brought by", entryLink(referrerId, referrerEmail)],
          ["Outcome", <RulingText key="outcome" {...referral} />],
        ]}
      />
      <DecideForm
        referral={referral}
        action={back.includes("/entries/") ? `/owner/referrals/${entryId}?from=entry` : `/owner/referrals/${entryId}`}
        rejected={rejected}
      />
    </Page>
  );
}

function entryLink(id: number, email: string) {
  return <a href={`/owner/entries/${id}`}>{email}</a>;
}

interface TopReferrersProps {
  top: Referrer[];
  /** How many people there are in all. */
  people: number;
  hasMilestones: boolean;
}

function TopReferrers({ top, people, hasMilestones }: TopReferrersProps) {
  if (top.length === 0) return null;
  const reached: Column<Referrer> = {
    name: "Milestones",
    kind: "number",
    isExtra: true,
    cell: ({ milestones }) => milestones ?? "–",
  };
  return (
    <Section id="top" title="Top referrers">
      <Table
        className="narrow referrer-table"
        caption={people > top.length ? `The first ${top.length} of ${formatNumber(people)}` : undefined}
        labelledBy="top"
        columns={[
          {
            name: "Person",
            kind: "words",
            cell: ({ entryId, email }) => <a href={`/owner/entries/${entryId}`}>{email}</a>,
          },
          { name: "Joined", kind: "number", cell: ({ joined }) => formatNumber(joined) },
          { name: "Counted", kind: "number", cell: ({ counted }) => formatNumber(counted) },
          ...(hasMilestones ? [reached] : []),
        ]}
        rows={top}
        rowKey={({ entryId }) => entryId}
      />
      <ButtonForm label="Download all referrers (CSV)" action="/owner/referrals/referrers.csv" />
    </Section>
  );
}
