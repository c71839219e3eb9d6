import { DecideForm, DecisionText } from "#app/features/referrals/owner/decide-form.server.tsx";
import { findReferral } from "#app/features/referrals/owner/referrals.server.ts";
import { rewardOf } from "#app/features/referrals/owner/rewards.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import { everyMilestone } from "#app/server/config/settings.server.ts";
import { listReachedMilestones, readFriends } from "#app/waitlist/my-data/friends.server.ts";

export async function entryFriends(c: OwnerContext, entryId: number) {
  const { db, timeZone } = c.var.app;
  const [{ joined, counted: number, erased }, reached, broughtBy] = await Promise.all([
    readFriends(db, entryId),
    listReachedMilestones(db, entryId),
    findReferral(db, entryId),
  ]);
  return (
    <Section key="friends" id="friends" title="Friends">
      {joined === 0 && reached.length === 0 ? (
        <p className="none">No one has joined through this person’s link.</p>
      ) : null}
      <Facts
        facts={[
          ["Joined through their link", joined === 0 ? null : formatNumber(joined)],
          ["Counted", joined === 0 ? null : formatNumber(number)],
          ["Counted, and erased since", erased === 0 ? null : formatNumber(erased)],
          ...reached.map((milestone): [string, string] => [
            `Brought ${counted(milestone.friends, "friend", "friends")}`,
            milestoneText(milestone, timeZone),
          ]),
        ]}
      />
      {joined === erased ? null : (
        <p>
          <a href={`/owner/referrals?list=counted&of=${entryId}`}>See who counts</a>
          {", or "}
          <a href={`/owner/referrals?of=${entryId}`}>who does not</a>
        </p>
      )}
      {broughtBy === null ? null : (
        <>
          <p>
            {"Came through the link of "}
            <a href={`/owner/entries/${broughtBy.referrerId}`}>{broughtBy.referrerEmail}</a>.
          </p>
          <p>
            <DecisionText {...broughtBy} />
          </p>
          <DecideForm referral={broughtBy} action={`/owner/referrals/${entryId}?from=entry`} />
        </>
      )}
    </Section>
  );
}

/** `21 Nov 2026, 14:05: a free stall fee; reward not given yet` */
function milestoneText(
  { friends, reached_at, rewarded_at }: Awaited<ReturnType<typeof listReachedMilestones>>[number],
  timeZone: string,
) {
  const reward = rewardOf(friends, everyMilestone());
  const given = rewarded_at === null ? "reward not given yet" : `reward given ${formatTime(rewarded_at, timeZone)}`;
  return `${formatTime(reached_at, timeZone)}${reward === null ? "" : `: ${reward}`}; ${given}`;
}
