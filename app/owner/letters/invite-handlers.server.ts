import { createLetter } from "#app/email/letters/letters.server.ts";
import { readSelection } from "#app/owner/entries/list-handlers.server.ts";
import { withListState } from "#app/owner/entries/list-state.ts";
import { toLetter } from "#app/owner/letters/letter-request.server.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/**
 * Drafts an invitation for the people whom the list shows. The filter alone would also find people who join later, so the
 * draft keeps the newest entry that the owner was shown; the filter still leaves out who no longer matches.
 */
export async function draftInvitation(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const newestEntry = parseId(fieldText(c.var.form, "newest"));
  const { status, ...filter } = state.filter;
  // That page says why; a letter is never for people who get no email.
  const isRefused = problems.length > 0 || selection.search || newestEntry === undefined;
  if (isRefused || (status !== undefined && status !== "active")) {
    return c.redirect(withListState("/owner/entries/select", state), 303);
  }
  const id = await createLetter(db, { audience: { filter, newestEntry }, is_invitation: true }, now());
  await c.var.record("create-letter", { letterId: id });
  return toLetter(c, id, "?done=invitation");
}
