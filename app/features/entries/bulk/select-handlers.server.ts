import { selectView } from "#app/features/entries/bulk/select-view.server.tsx";
import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { readSelection } from "#app/features/entries/list-handlers.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { countEntries, newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** What can be done with all the entries that the list shows. */
export async function showSelected(c: OwnerContext) {
  const { db } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const [newest, all, mayGetEmail] = await Promise.all([
    newestEntry(db),
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
  ]);
  const isWholeList = describeSelection(state.filter, selection.search).length === 0;
  const whole = isWholeList ? ["Filter the list, or search it, first."] : [];
  return c.render(
    selectView({ state, search: selection.search, newest, all, mayGetEmail, problems: [...problems, ...whole] }),
  );
}
