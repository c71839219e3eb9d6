import { apiKeysView } from "#app/features/api/keys/api-keys-view.server.tsx";
import { createKey, listKeys, listRevokedKeys, MAX_KEYS, revokeKey } from "#app/features/api/keys/keys.server.ts";
import { newKeyView } from "#app/features/api/keys/new-key-view.server.tsx";
import { readKey } from "#app/features/api/keys/scopes.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

const TAKEN = "Another key has this name.";
const TOO_MANY = `There are ${MAX_KEYS} keys, which is the most. Revoke one first.`;

/** @param typed a key that was not made */
export async function showKeys(c: OwnerContext, typed: ReturnType<typeof readKey> | null = null) {
  const { db, timeZone, emailContext } = c.var.app;
  const [keys, revoked] = await Promise.all([listKeys(db), listRevokedKeys(db)]);
  if (typed !== null) c.status(422);
  return c.render(apiKeysView({ keys, revoked, typed, timeZone, siteUrl: emailContext.siteUrl }));
}

/** Shows the new key in the response itself: it is stored nowhere, and in no URL. */
export async function addKey(c: OwnerContext) {
  const { db, now, emailContext } = c.var.app;
  const typed = readKey(c.var.form);
  const { name, scopes, problems } = typed;
  if (Object.keys(problems).length > 0) return showKeys(c, typed);
  const made = await createKey(db, { name, scopes }, now());
  if (made.kind !== "created")
    return showKeys(c, { ...typed, problems: { name: made.kind === "taken" ? TAKEN : TOO_MANY } });
  await c.var.record("create-api-key", { key: String(made.id), name, scopes: scopes.join(", ") });
  return c.render(newKeyView({ name, key: made.key, siteUrl: emailContext.siteUrl }));
}

export async function changeKey(c: OwnerContext) {
  if (c.var.form.get("intent") !== "revoke") return badRequest(c);
  const revoked = await revokeKey(c.var.app.db, Number(c.req.param("id")), c.var.app.now());
  if (revoked === null) return c.redirect("/owner/api-keys?done=unchanged", 303);
  await c.var.record("revoke-api-key", { key: String(revoked.id), name: revoked.name });
  return c.redirect("/owner/api-keys?done=key-revoked", 303);
}
