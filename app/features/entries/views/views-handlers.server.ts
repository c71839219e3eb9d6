import { type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { readViewName } from "#app/features/entries/views/saved-view.ts";
import { deleteView, listViews, renameView, saveView } from "#app/features/entries/views/saved-views.server.ts";
import { type RejectedName, viewsView } from "#app/features/entries/views/views-view.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

const TAKEN = "Another view has this name.";

/** The saved views, and a form that saves the list as its URL has it. */
export async function showViews(c: OwnerContext, rejected?: RejectedName) {
  const { state, problems } = readState(c);
  const views = await listViews(c.var.app.db);
  if (rejected !== undefined) c.status(422);
  return c.render(viewsView({ state, problems, views, rejected }));
}

export async function addView(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { state, problems } = readState(c);
  const { name, problem } = readViewName(c.var.form.get("name"));
  // With a filter left out, the view would have more people than the list that the owner looked at.
  if (problems.length > 0) return showViews(c, { name });
  if (problem !== undefined) return showViews(c, { name, problem });
  const outcome = await saveView(db, { name, filter: state.filter, order: state.order }, now());
  if (outcome === "taken") return showViews(c, { name, problem: TAKEN });
  if (outcome === "too-many") return showViews(c, { name });
  return redirectWith(c, "/owner/entries", state, "view-saved");
}

export async function changeView(c: OwnerContext) {
  const { db } = c.var.app;
  const { state } = readState(c);
  const id = Number(c.req.param("id"));
  const intent = c.var.form.get("intent");
  if (intent === "delete") {
    const isDeleted = await deleteView(db, id);
    return redirectWith(c, "/owner/entries/views", state, isDeleted ? "view-deleted" : "unchanged");
  }
  if (intent !== "rename") return badRequest(c);
  const { name, problem } = readViewName(c.var.form.get("name"));
  if (problem !== undefined) return showViews(c, { id, name, problem });
  const outcome = await renameView(db, id, name);
  if (outcome === "taken") return showViews(c, { id, name, problem: TAKEN });
  return redirectWith(c, "/owner/entries/views", state, outcome === "renamed" ? "view-renamed" : "unchanged");
}

/** The filter and the order of the URL. A search is no part of a view, since it may be an address. */
function readState(c: OwnerContext): { state: ListState; problems: string[] } {
  const { state, problems } = readListState(new URL(c.req.url).searchParams);
  return { state: { filter: state.filter, order: state.order }, problems };
}

function redirectWith(c: OwnerContext, path: string, state: ListState, done: string) {
  const href = withListState(path, state);
  return c.redirect(`${href}${href.includes("?") ? "&" : "?"}done=${done}`, 303);
}
