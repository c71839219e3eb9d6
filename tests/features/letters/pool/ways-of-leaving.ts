import { env } from "cloudflare:test";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";

interface Leaver {
  db: Db;
  now: () => number;
  id: number;
  email: string;
}

type Leave = (leaver: Leaver) => Promise<unknown>;

const site = { linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false, entryHooks: {} };

/** How people can end their email, as ends of sentences. */
export const waysOfLeaving: [string, Leave][] = [
  ["unsubscribes on the page of their entry", choose("unsubscribe")],
  ["asks for no email ever again", choose("never")],
  ["erases themselves", choose("erase")],
  [
    "unsubscribes by a link in an email, or with one click",
    async ({ db, now, id }) => {
      const token = await signEntryToken("unsubscribe:v1", id, env.HASH_KEY);
      await unsubscribeByToken({ db, now, ...site }, token);
    },
  ],
  ["reports another email as spam", report("complaint")],
  ["has an address that another email bounced from", report("hard-bounce")],
];

function choose(intent: Intent): Leave {
  return async ({ db, now, id }) => {
    const token = await signDataToken(id, now(), env.LINK_SECRET);
    await changeOwnEntry({ db, now, ...site }, token, intent);
  };
}

function report(kind: "complaint" | "hard-bounce"): Leave {
  return ({ db, now, email }) => {
    const deps = { db, now, emailContext: { hashKey: env.HASH_KEY, ownerEmails: [] } };
    return applyProviderEvent(deps, { id: crypto.randomUUID(), kind, about: null, recipient: email });
  };
}
