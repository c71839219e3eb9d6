import { backToList, type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { isSameView, MAX_VIEWS, type SavedView, viewHref } from "#app/features/entries/views/saved-view.ts";
import { deleteView, listViews, renameView, saveView } from "#app/features/entries/views/saved-views.server.ts";
import { Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import { activeFilters, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { listOrders } from "#app/waitlist/filter/list-order.ts";

const MAX_NAME_LENGTH = 50;

const TAKEN = "Another view has this name.";

/** The saved views, and a form that saves the list as its URL has it. */
export async function showViews(c: OwnerContext, rejected?: RejectedName) {
  const { state, problems } = readState(c);
  const views = await listViews(c.var.app.db);
  if (rejected !== undefined) c.status(422);
  const isPlain = withListState("", state) === "";
  const saved = views.find((view) => isSameView(view, state));
  return c.render(
    <Page title="Saved views" section="entries" back={backToList(state)}>
      <Outcome />
      <Problems problems={problems} />
      {problems.length > 0 ? null : isPlain ? (
        <p className="lead">A view is a filter and an order with a name. To save one, filter or sort the list first.</p>
      ) : (
        <Section id="save" title="Save this view">
          {saved === undefined ? (
            <SaveForm
              state={state}
              isFull={views.length >= MAX_VIEWS}
              typed={rejected?.id === undefined ? rejected : undefined}
            />
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
                <View view={view} state={state} typed={rejected?.id === view.id ? rejected : undefined} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>,
  );
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
  return c.redirect(withListState("/owner/entries", state, "view-saved"), 303);
}

export function changeView(c: OwnerContext) {
  return runIntent(c, { delete: remove, rename });
}

async function remove(c: OwnerContext) {
  const isDeleted = await deleteView(c.var.app.db, Number(c.req.param("id")));
  return backToViews(c, isDeleted ? "view-deleted" : "unchanged");
}

async function rename(c: OwnerContext) {
  const id = Number(c.req.param("id"));
  const { name, problem } = readViewName(c.var.form.get("name"));
  if (problem !== undefined) return showViews(c, { id, name, problem });
  const outcome = await renameView(c.var.app.db, id, name);
  if (outcome === "taken") return showViews(c, { id, name, problem: TAKEN });
  return backToViews(c, outcome === "renamed" ? "view-renamed" : "unchanged");
}

function backToViews(c: OwnerContext, done: string) {
  return c.redirect(withListState("/owner/entries/views", readState(c).state, done), 303);
}

function readViewName(typed: unknown): { name: string; problem?: string } {
  const text = typeof typed === "string" ? typed : "";
  const name = text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  if (name === "") return { name, problem: "Give the view a name." };
  if (name.length > MAX_NAME_LENGTH) return { name, problem: `Use at most ${MAX_NAME_LENGTH} characters.` };
  return { name };
}

/** The filter and the order of the URL. A search is no part of a view, since it may be an address. */
function readState(c: OwnerContext): { state: ListState; problems: string[] } {
  const { state, problems } = readListState(new URL(c.req.url).searchParams);
  return { state: { filter: state.filter, order: state.order }, problems };
}

interface RejectedName {
  /** The view that it was for; absent for a new one. */
  id?: number;
  name: string;
  problem?: string;
}

function SaveForm({ state, isFull, typed }: { state: ListState; isFull: boolean; typed: RejectedName | undefined }) {
  if (isFull) return <p>{`There are ${MAX_VIEWS} views, which is the most. Delete one first.`}</p>;
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

function View({ view, state, typed }: { view: SavedView; state: ListState; typed: RejectedName | undefined }) {
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
      <form className="form form-row flush" method="post" action={action}>
        <Field
          name="name"
          id={`name-${view.id}`}
          label="Name"
          maxLength={MAX_NAME_LENGTH}
          required
          value={typed?.name ?? view.name}
          problem={typed?.problem}
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

function describeView({ filter, order }: Pick<SavedView, "filter" | "order">): string {
  return [...activeFilters(filter).map(({ text }) => text), listOrders[order]].join("; ");
}

/** Sentences about filters of a view that no longer exist. */
function viewProblems({ filter }: SavedView): string[] {
  return readListState(writeEntryFilter(filter)).problems;
}
