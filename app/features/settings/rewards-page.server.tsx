import { sql } from "drizzle-orm";
import { saveSettings } from "#app/features/settings/save-settings.server.ts";
import { readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Problems } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import { type Conflict, findConflict, shownVersion } from "#app/owner/versions/versions.server.ts";
import { MAX_REWARD_LENGTH, milestoneProblems } from "#app/server/config/question-rules.ts";
import { mergeSettings, settingsOfCode } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";
import type { Milestone } from "#app/site.ts";

const PATH = `${SETTINGS_PATH}/rewards`;

export function showRewards(c: OwnerContext) {
  return respond(c);
}

export async function saveRewards(c: OwnerContext): Promise<Response> {
  const { db } = c.var.app;
  const row = await readRow(db);
  const { milestones, retiredMilestones } = mergeSettings(c.env, row.stored).settings;
  const typed = readRewards(c.var.form);
  const offered = typed
    .filter(({ friends, reward }) => friends !== "" || reward !== "")
    .map(({ friends, reward }) => ({ friends: Number(friends), reward }))
    .toSorted((a, b) => a.friends - b.friends);
  const fields = rewardFields(typed);
  const problems = milestoneProblems(offered);
  if (problems.length > 0) return respond(c, { fields, problems });
  const text = { path: PATH, present: rewardFields(milestones), typed: rewardFields(offered) };
  const conflict = await findConflict(c, text);
  if (conflict !== null) return respond(c, { fields, conflict });
  if (JSON.stringify(offered) === JSON.stringify(milestones)) return c.redirect(`${PATH}?done=unchanged`, 303);
  const isOffered = (milestone: Milestone) => offered.some(({ friends }) => friends === milestone.friends);
  const reached = await readReached(db);
  // What no one has reached is forgotten.
  const kept = [...milestones, ...retiredMilestones].filter(
    (milestone) => !isOffered(milestone) && reached.has(milestone.friends),
  );
  const retired = kept.map(({ friends, reward }) => ({ friends, reward, retired: true }));
  const all = [...offered, ...retired].toSorted((a, b) => a.friends - b.friends);
  const isOfCode = kept.length === 0 && JSON.stringify(offered) === JSON.stringify(settingsOfCode.milestones);
  const isSaved = await saveSettings(c, row, {
    ...text,
    values: { MILESTONES: isOfCode ? null : JSON.stringify(all) },
    changes: [{ name: "MILESTONES", label: "Rewards", from: inWords(milestones), to: inWords(offered) }],
  });
  // Otherwise another form was saved at the same moment.
  return isSaved ? c.redirect(`${PATH}?done=settings-saved`, 303) : saveRewards(c);
}

/** As typed, row by row. */
function readRewards(form: FormData): { friends: string; reward: string }[] {
  const rewards = form.getAll("reward").map(String);
  return form.getAll("friends").map((friends, index) => ({
    friends: String(friends).trim(),
    reward: (rewards[index] ?? "").trim(),
  }));
}

function rewardFields(rewards: readonly { friends: number | string; reward: string }[]): SavedFields {
  return rewards
    .filter(({ friends, reward }) => friends !== "" || reward !== "")
    .flatMap(
      ({ friends, reward }): SavedFields => [
        ["friends", String(friends)],
        ["reward", reward],
      ],
    );
}

/** `3 friends: a free stall fee` */
export function inWords(rewards: readonly Milestone[]): string {
  return (
    rewards.map(({ friends, reward }) => `${counted(friends, "friend", "friends")}: ${reward}`).join("; ") || "None"
  );
}

/** How many people have reached each reward, by its number of friends. */
async function readReached(db: Db): Promise<Map<number, number>> {
  const { friends } = reachedMilestones;
  const found = await db.select({ friends, people: sql<number>`count(*)` }).from(reachedMilestones).groupBy(friends);
  return new Map(found.map((one) => [one.friends, one.people]));
}

async function respond(c: OwnerContext, rejected?: { fields: SavedFields; problems?: string[]; conflict?: Conflict }) {
  const { db, timeZone, mustConfirm } = c.var.app;
  const { conflict, problems = [] } = rejected ?? {};
  const [row, reached] = await Promise.all([readRow(db), readReached(db)]);
  const { milestones, retiredMilestones } = mergeSettings(c.env, row.stored).settings;
  const present = rewardFields(milestones);
  const shown = pairsOf(rejected?.fields ?? present);
  const rows = [...shown, { friends: "", reward: "" }];
  if (rejected !== undefined) c.status(conflict === undefined ? 422 : 409);
  return c.render(
    <Page title="Rewards" section="settings" back={{ href: SETTINGS_PATH, name: "All settings" }}>
      <Outcome />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} />}
      <Problems problems={problems} />
      <p className="lead">What people get for the friends who join through their personal link.</p>
      {mustConfirm ? null : (
        <Message>
          <p>People reach rewards only while new people confirm their address.</p>
          <p>
            <a className="quiet-link" href={`${SETTINGS_PATH}/sign-ups`}>
              Ask them to confirm
            </a>
          </p>
        </Message>
      )}
      <form className="form narrow" method="post" action={PATH}>
        <VersionInputs {...(await shownVersion(c, present, conflict))} />
        {rows.map(({ friends, reward }, index) => (
          <FieldGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            key={index}
            legend={friends === "" && reward === "" ? "One more reward" : `Reward ${index + 1}`}
            {...reachedHint(reached.get(Number(friends)))}
          >
            <Field id={`friends-${index}`} name="friends" label="Friends" inputMode="numeric" value={friends} />
            <Field
              id={`reward-${index}`}
              name="reward"
              label="You get …"
              hint="Such as: a free stall fee at your first fair."
              value={reward}
              maxLength={MAX_REWARD_LENGTH}
            />
          </FieldGroup>
        ))}
        <p className="hint">
          To stop offering a reward, clear its fields. People who have reached it keep it, and it stays on your page of
          referrals. Within an hour of a new reward, people who have brought enough friends reach it and are told by
          email.
        </p>
        <Actions>
          <Button label="Save" value="save" />
          <ButtonLink label="Cancel" kind="quiet" href={SETTINGS_PATH} />
        </Actions>
      </form>
      {retiredMilestones.length === 0 ? null : (
        <p>{`No longer offered, but reached by some: ${inWords(retiredMilestones)}.`}</p>
      )}
      <VersionsLink path={PATH} />
    </Page>,
  );
}

function pairsOf(fields: SavedFields): { friends: string; reward: string }[] {
  const rewards = fields.filter(([name]) => name === "reward");
  return fields
    .filter(([name]) => name === "friends")
    .map(([, friends], index) => ({ friends, reward: rewards[index]?.[1] ?? "" }));
}

function reachedHint(people = 0): { hint?: string } {
  if (people === 0) return {};
  const who = people === 1 ? "One person has" : `${people} people have`;
  return { hint: `${who} reached it. If you change its words, theirs change too.` };
}
