import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";

/** Fills the filter of a page with that of a saved view; nothing without views. */
export function UseView({ action, views }: { action: string; views: SavedView[] }) {
  if (views.length === 0) return null;
  const options = Object.fromEntries(views.map(({ id, name }) => [`${id}`, name]));
  return (
    <form className="form form-row" method="get" action={action}>
      <Field name="view" label="Use a saved view" options={options} />
      <Button label="Use" kind="quiet" />
    </form>
  );
}
