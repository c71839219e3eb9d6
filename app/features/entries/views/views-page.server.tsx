import { type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import {
  describeView,
  isSameView,
  MAX_NAME_LENGTH,
  MAX_VIEWS,
  readViewName,
  type SavedView,
  viewHref,
  viewProblems,
} from "#app/features/entries/views/saved-view.ts";
import { deleteView, listViews, renameView, saveView } from "#app/features/entries/views/saved-views.server.ts";
import { Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";

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

interface RejectedName {
  /** The view that it was for; absent for a new one. */
  id?: number;
  name: string;
  problem?: string;
}

interface ViewsProps {
  state: ListState;
  problems: string[];
  views: SavedView[];
  rejected: RejectedName | undefined;
}

function viewsView({ state, problems, views, rejected }: ViewsProps) {
  const isPlain = withListState("", state) === "";
  const saved = views.find((view) => isSameView(view, state));
  return (
    <Page
      title="Saved views"
      section="entries"
      back={{ href: withListState("/owner/entries", state), name: "Back to the list" }}
    >
      <Outcome />
      <Problems problems={problems} />
      {problems.length > 0 ? null : isPlain ? (
        <p className="lead">A view is a filter and an order with a name. To save one, filter or sort the list first.</p>
      ) : (
        <Section id="save" title="Save this view">
          {saved === undefined ? (
            <SaveForm state={state} isFull={views.length >= MAX_VIEWS} rejected={rejected} />
          ) : (
            <p>{`The list as it is now is saved as “${saved.name}”.`}</p>
          )}
        </Section>
      )}
      {views.length === 0 ? null : (
        <Section id="views" title="Your views">
          <ul className="bare-list group narrow views">
            {views.map((view) => (
              <li key={view.id} className="panel">
                <View view={view} state={state} rejected={rejected?.id === view.id ? rejected : undefined} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}

interface SaveFormProps {
  state: ListState;
  isFull: boolean;
  rejected: RejectedName | undefined;
}

function SaveForm({ state, isFull, rejected }: SaveFormProps) {
  if (isFull) return <p>{`There are ${MAX_VIEWS} views, which is the most. Delete one first.`}</p>;
  const typed = rejected?.id === undefined ? rejected : undefined;
  return (
    <form className="form" method="post" action={withListState("/owner/entries/views", state)}>
      <p className="lead">{describeView(state)}</p>
      <Field
        name="name"
        label="Name"
        hint={`Up to ${MAX_NAME_LENGTH} characters. A search is not part of a view.`}
        maxLength={MAX_NAME_LENGTH}
        required
        value={typed?.name}
        problem={typed?.problem}
      />
      <Button label="Save view" />
    </form>
  );
}

interface ViewProps {
  view: SavedView;
  state: ListState;
  rejected: RejectedName | undefined;
}

function View({ view, state, rejected }: ViewProps) {
  const action = withListState(`/owner/entries/views/${view.id}`, state);
  const problems = viewProblems(view);
  return (
    <>
      <h3>
        <a className="quiet-link" href={viewHref(view)}>
          {view.name}
        </a>
      </h3>
      <p>{describeView(view)}</p>
      {problems.length === 0 ? null : (
        <p className="problem">{`Some of its filters no longer exist, and the list leaves them out: ${problems.join(" ")}`}</p>
      )}
      <form className="form form-row" method="post" action={action}>
        <Field
          name="name"
          id={`name-${view.id}`}
          label="Name"
          maxLength={MAX_NAME_LENGTH}
          required
          value={rejected?.name ?? view.name}
          problem={rejected?.problem}
        />
        <Button label="Rename" kind="quiet" value="rename" />
      </form>
      <Confirm
        label="Delete this view"
        question="Delete"
        value="delete"
        action={action}
        text="Only the view is deleted. The people in it stay on the list."
      />
    </>
  );
}
