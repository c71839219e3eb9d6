import { type ClaimedDelivery, claimDue } from "#app/owner/webhooks/claim-deliveries.server.ts";
import { type Endpoint, noteDelivered } from "#app/owner/webhooks/endpoints.server.ts";
import { eventBody } from "#app/owner/webhooks/payload.server.ts";
import { type Result, recordResults } from "#app/owner/webhooks/record-results.server.ts";
import { type Outcome, sendEvent } from "#app/owner/webhooks/send.server.ts";
import { signatureHeaders } from "#app/owner/webhooks/sign.server.ts";
import type { Config } from "#app/server/config.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

interface WebhookDeps {
  db: Db;
  config: Pick<Config, "SITE_URL">;
  hashKey: string;
  now: () => number;
}

/** How a round went. `isDown`: the receiver wants no more requests for now, cannot take them, or refused all of several. */
export interface Round {
  accepted: number;
  failed: number;
  isDown: boolean;
  isGone: boolean;
}

/** Claims the next due deliveries of an endpoint, sends them side by side, and records the results. */
export async function deliverNext(deps: WebhookDeps, endpoint: Endpoint, limit: number): Promise<Round> {
  const claimed = await claimDue(deps.db, endpoint, { now: deps.now(), limit });
  if (claimed.length === 0) return { accepted: 0, failed: 0, isDown: false, isGone: false };
  const outcomes = await deliver(deps, endpoint, claimed);
  const accepted = outcomes.filter(({ kind }) => kind === "accepted").length;
  const isGone = outcomes.some(({ kind }) => kind === "gone");
  const isDown =
    isGone ||
    (accepted === 0 && outcomes.length > 1) ||
    outcomes.some((outcome) => outcome.kind === "failed" && outcome.isDown);
  return { accepted, failed: outcomes.length - accepted, isDown, isGone };
}

/** Sends a test that is already claimed, and records the result. */
export async function deliverTest(deps: WebhookDeps, endpoint: Endpoint, delivery: ClaimedDelivery): Promise<Outcome> {
  const [outcome] = await deliver(deps, endpoint, [delivery]);
  if (outcome === undefined) throw new Error("no outcome");
  if (outcome.kind === "accepted") await noteDelivered(deps.db, endpoint.id, deps.now());
  return outcome;
}

async function deliver({ db, config, hashKey, now }: WebhookDeps, endpoint: Endpoint, claimed: ClaimedDelivery[]) {
  const results = await Promise.all(
    claimed.map(async (delivery): Promise<Result> => {
      const message = { id: messageId(delivery), body: eventBody(delivery), now: now() };
      const headers = await signatureHeaders(endpoint, hashKey, message);
      const sent = { headers, body: message.body };
      return { delivery, outcome: await sendEvent(endpoint.url, config.SITE_URL, sent, message.now) };
    }),
  );
  await recordResults(db, endpoint, results, now());
  return results.map(({ outcome }) => outcome);
}

/** The same for every attempt, and never another event's: ids of rows come back once the newest rows are deleted. */
function messageId({ id, createdAt }: ClaimedDelivery): string {
  return `msg_${createdAt.toString(36)}_${id}`;
}
