import { setAnswers } from "#app/waitlist/entries/entries.server.ts";
import { logOwnChange } from "#app/waitlist/my-data/log-change.server.ts";
import type { ChangeOutcome, OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyDataToken } from "#app/waitlist/my-data/token.server.ts";
import type { NewAnswers } from "#app/waitlist/questions/answers.ts";

/** Idempotent. */
export async function changeOwnAnswers(
  { db, linkSecrets, now }: OwnEntryDeps,
  token: string,
  answers: NewAnswers,
): Promise<ChangeOutcome> {
  const verified = await verifyDataToken(token, linkSecrets, now());
  if (verified === null) return { kind: "bad-link" };
  if (verified.expired) return { kind: "expired" };
  const { entryId } = verified;
  const changed = await setAnswers(db, entryId, answers);
  logOwnChange(entryId, "answers", changed);
  return { kind: "done", changed };
}
