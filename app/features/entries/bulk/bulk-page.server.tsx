import {
  type BulkAction,
  changedToday,
  findBulkAction,
  findUndo,
  type NewBulkAction,
  startBulkAction,
  stopBulkAction,
  UNDO_PERIOD,
  undoesImport,
} from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/features/entries/bulk/change-jobs.server.ts";
import { SelectionList } from "#app/features/entries/bulk/select-page.server.tsx";
import { countRestorable } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import { describeSelection, selectionDetails } from "#app/features/entries/list-state.ts";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import type { BulkKind, BulkState } from "#app/server/db/schema/bulk.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { runJobs, TIME_AFTER_RESPONSE } from "#app/server/queue.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** Statements of a request besides those of its chunks. */
const OTHER_STATEMENTS = 10;

const logged: Record<BulkKind, { start: string; stop: string }> = {
  erase: { start: "erase-many", stop: "stop-erasing" },
  unsubscribe: { start: "unsubscribe-many", stop: "stop-unsubscribing" },
  undo: { start: "undo-unsubscribing", stop: "stop-undoing" },
};

/** Starts and logs an action, begins it after the response, and leads to its page. Null if another one is running. */
export async function startAction(c: OwnerContext, action: Omit<NewBulkAction, "now">): Promise<Response | null> {
  const { app } = c.var;
  const { kind, selection, expected: entries } = action;
  const bulkActionId = await startBulkAction(app.db, { ...action, now: app.now() });
  if (bulkActionId === null) return null;
  // The search cookie may hold an erased address.
  if (kind !== "undo") clearSearch(c);
  await c.var.record(logged[kind].start, { bulkActionId, entries, ...selectionDetails(selection) });
  logInfo("bulk-action-confirmed", { bulkActionId, kind, entries });
  const run = { subrequests: app.plan.subrequests - OTHER_STATEMENTS, until: app.now() + TIME_AFTER_RESPONSE };
  app.waitUntil(runJobs(app, [changeJobs], run).catch((error: unknown) => logError("bulk-action-interrupted", error)));
  return c.redirect(`/owner/bulk/${bulkActionId}`, 303);
}

export function changeBulkAction(c: OwnerContext) {
  const ifFound = (change: (c: OwnerContext, found: BulkAction) => Promise<Response>) => async () => {
    const found = await findBulkAction(c.var.app.db, Number(c.req.param("id")));
    return found === null ? c.notFound() : change(c, found);
  };
  return runIntent(c, { stop: ifFound(stop), undo: ifFound(undo) });
}

async function stop(c: OwnerContext, { id, kind }: BulkAction) {
  const { db, now } = c.var.app;
  if (await stopBulkAction(db, id, now())) await c.var.record(logged[kind].stop, { bulkActionId: id });
  return c.redirect(`/owner/bulk/${id}`, 303);
}

async function undo(c: OwnerContext, found: BulkAction) {
  const { id } = found;
  const offer = await readUndo(c, found);
  if (offer?.kind === "undone") return c.redirect(`/owner/bulk/${offer.id}`, 303);
  if (offer?.kind !== "possible" || offer.people === 0) return c.redirect(`/owner/bulk/${id}?done=unchanged`, 303);
  const newestEntryId = await newestEntry(c.var.app.db);
  const started = await startAction(c, {
    kind: "undo",
    undoes: id,
    selection: {},
    newestEntryId,
    expected: offer.people,
  });
  return started ?? c.redirect(`/owner/bulk/${id}?done=bulk-busy`, 303);
}

type Undo =
  | { kind: "undone"; id: number }
  | { kind: "too-late" }
  | { kind: "possible"; people: number; until: EpochMillis };

/** Whether an action can be undone; null if it never can, or has not ended. */
async function readUndo(c: OwnerContext, { id, kind, state, affected, finished_at }: BulkAction): Promise<Undo | null> {
  if (kind !== "unsubscribe" || state === "running" || affected === 0) return null;
  const { db, now } = c.var.app;
  const undoneBy = await findUndo(db, id);
  if (undoneBy !== null) return { kind: "undone", id: undoneBy };
  const until = (finished_at ?? 0) + UNDO_PERIOD;
  if (now() >= until) return { kind: "too-late" };
  return { kind: "possible", people: await countRestorable(db, id, now()), until };
}

export async function showBulkAction(c: OwnerContext) {
  const { db, now, timeZone, plan } = c.var.app;
  const found = await findBulkAction(db, Number(c.req.param("id")));
  if (found === null) return c.notFound();
  const [today, undoOffer] = await Promise.all([changedToday(db, now()), readUndo(c, found)]);
  const { id, kind, undoes, state, filter, search, expected, affected } = found;
  const isRunning = state === "running";
  const filters = [...(search === "" ? ["A search in addresses"] : []), ...describeSelection(filter, search)];
  const { titles, tile, stop } = words[kind];
  return c.render(
    <Page title={titles[state]} section="entries" back={{ href: "/owner/entries", name: "Back to the list" }}>
      <Outcome />
      {undoes === null ? (
        <>
          <p className="lead">{counted(expected, "entry matched:", "entries matched:")}</p>
          <SelectionList filters={filters} />
        </>
      ) : (
        <p className="lead">
          {counted(expected, "entry was", "entries were")} to be put back that{" "}
          <a href={`/owner/bulk/${undoes}`}>an owner had unsubscribed</a>.
        </p>
      )}
      {isRunning ? (
        <Running {...found} waitsForTomorrow={today >= plan.changedRecordsADay} />
      ) : (
        <Ended {...found} timeZone={timeZone} />
      )}
      <dl className="tiles">
        <Tile name={tile} value={affected} main />
        <Tile name={isRunning ? "Left" : `Not ${tile.toLowerCase()}`} value={expected - affected} />
      </dl>
      {isRunning ? (
        <>
          <Actions>
            <ButtonLink label="Refresh" href={`/owner/bulk/${id}`} />
          </Actions>
          <Confirm label="Stop now" question={stop.question} value="stop" text={stop.text} />
        </>
      ) : null}
      {undoesImport(found) ? (
        <UndoneImport id={id} undo={undoOffer} timeZone={timeZone} />
      ) : (
        <UndoOffer undo={undoOffer} timeZone={timeZone} />
      )}
    </Page>,
  );
}

interface Words {
  titles: Record<BulkState, string>;
  done: [one: string, many: string];
  tile: string;
  fewer: string;
  stop: { question: string; text: string };
}

const words: Record<BulkKind, Words> = {
  erase: {
    titles: { running: "Erasing entries", done: "Entries erased", stopped: "Erasing stopped" },
    done: ["entry was erased", "entries were erased"],
    tile: "Erased",
    fewer: "The others had been erased before, or did not match the filters any more.",
    stop: {
      question: "Stop erasing",
      text: "The entries that are left stay on the list. Those that were erased do not come back.",
    },
  },
  unsubscribe: {
    titles: { running: "Unsubscribing entries", done: "Entries unsubscribed", stopped: "Unsubscribing stopped" },
    done: ["entry was unsubscribed", "entries were unsubscribed"],
    tile: "Unsubscribed",
    fewer: "The others had left before, or did not match the filters any more.",
    stop: {
      question: "Stop unsubscribing",
      text: "The entries that are left stay subscribed. You can put the others back afterwards.",
    },
  },
  undo: {
    titles: { running: "Putting entries back", done: "Entries put back", stopped: "Putting back stopped" },
    done: ["entry was put back", "entries were put back"],
    tile: "Put back",
    fewer: "The others have left in the meantime, or their address gets no email any more.",
    stop: { question: "Stop putting back", text: "The entries that are left stay unsubscribed." },
  },
};

function Running({ expected, affected, waitsForTomorrow }: BulkAction & { waitsForTomorrow: boolean }) {
  return (
    <>
      <p>
        <label htmlFor="progress">{`${Math.floor((affected / expected) * 100)}% done.`}</label>{" "}
        <progress id="progress" value={affected} max={expected} />
      </p>
      {waitsForTomorrow ? (
        <Message>
          What the database may do today to change many entries is used up. This goes on after midnight UTC.
        </Message>
      ) : (
        <p>You can leave this page: this continues by itself, every minute.</p>
      )}
    </>
  );
}

function Ended({ kind, state, expected, affected, finished_at, timeZone }: BulkAction & { timeZone: string }) {
  const when = finished_at === null ? "" : ` ${formatTime(finished_at, timeZone)}`;
  const { done, fewer } = words[kind];
  const isShort = state === "done" && affected < expected;
  return (
    <Message kind="success">
      {`${state === "done" ? "Finished" : "Stopped"}${when}. ${counted(affected, ...done)}.`}
      {isShort ? ` ${fewer}` : ""}
    </Message>
  );
}

/** What becomes of the people whom it has unsubscribed, with the offer to put them back. */
function UndoneImport({ id, undo, timeZone }: { id: number; undo: Undo | null; timeZone: string }) {
  if (undo?.kind === "too-late") {
    return <p>It can no longer be undone. Those who were not put back are erased for good.</p>;
  }
  return (
    <>
      {undo?.kind === "possible" && undo.people > 0 ? (
        <>
          <p>
            {`This undoes an import: those whom it has unsubscribed are erased for good after ${formatTime(undo.until, timeZone)}, unless they are put back before.`}
          </p>
          <Actions>
            <ButtonLink kind="quiet" label="Erase now" href={`/owner/entries/erase?unsubscribed_by=${id}`} />
          </Actions>
        </>
      ) : null}
      <UndoOffer undo={undo} timeZone={timeZone} />
    </>
  );
}

function UndoOffer({ undo, timeZone }: { undo: Undo | null; timeZone: string }) {
  switch (undo?.kind) {
    case undefined:
      return null;
    case "undone":
      return (
        <p>
          This was undone: <a href={`/owner/bulk/${undo.id}`}>see who was put back</a>.
        </p>
      );
    case "too-late":
      return <p>It can no longer be undone. People can rejoin by themselves, with the link in one of our emails.</p>;
    case "possible":
      return undo.people === 0 ? (
        <p>No one is left to put back.</p>
      ) : (
        <Confirm
          label={`Put ${counted(undo.people, "entry", "entries")} back`}
          question="Undo"
          kind="quiet"
          value="undo"
          text={`Puts back those whom this has unsubscribed. People who have left since, by themselves or by reporting spam, and addresses that get no email any more stay unsubscribed. Emails that were waiting for them are not sent. Possible until ${formatTime(undo.until, timeZone)}.`}
        />
      );
  }
}
