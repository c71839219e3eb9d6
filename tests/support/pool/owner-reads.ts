import { describePause } from "#app/email/pauses.server.ts";
import { EntryEmails } from "#app/features/entries/entry-emails.server.tsx";
import { renderDocument } from "#app/owner/ui/renderer.server.tsx";
import { entryWithEmails, findSuppression } from "#app/waitlist/filter/list-entries.server.ts";
import type { outboxHarness } from "#tests/support/pool/emails.ts";

/** What the owner's page about an entry says about its email. */
export async function ownerReads({ db, clock, deps }: ReturnType<typeof outboxHarness>, entryId = 1): Promise<string> {
  const timeZone = deps.emailContext.ownerTimeZone;
  const found = await entryWithEmails(db, entryId);
  if (found === null) throw new Error("no such entry");
  const pause = await describePause(db, clock.now, timeZone);
  const suppression = await findSuppression({ ...deps, hashKey: deps.emailContext.hashKey }, found.entry.email);
  const html = renderDocument(EntryEmails({ ...found, suppression, timeZone, pause }));
  const text = /<strong>Welcome<\/strong><span>([^<]*)/.exec(String(html))?.[1] ?? "";
  return text.replaceAll("&#x27;", "'");
}
