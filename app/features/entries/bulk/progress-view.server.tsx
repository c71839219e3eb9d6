import type { BulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { SelectionList } from "#app/features/entries/bulk/selection-list.server.tsx";
import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Outcome, Page } from "#app/owner/ui/page.server.tsx";
import type { BulkKind, BulkState } from "#app/server/db/schema/bulk.server.ts";

export type Undo =
  | { kind: "undone"; id: number }
  | { kind: "too-late" }
  | { kind: "possible"; people: number; until: number };

interface BulkActionProps {
  found: BulkAction;
  /** Null if it cannot be undone. */
  undo: Undo | null;
  timeZone: string;
  waitsForTomorrow: boolean;
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

export function bulkActionView({ found, ...context }: BulkActionProps) {
  const { id, kind, undoes, state, filter, search, expected, affected } = found;
  const isRunning = state === "running";
  const filters = [...(search === "" ? ["A search in addresses"] : []), ...describeSelection(filter, search)];
  const { titles, tile, stop } = words[kind];
  return (
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
      {isRunning ? <Running found={found} {...context} /> : <Ended found={found} {...context} />}
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
      <UndoOffer undo={context.undo} timeZone={context.timeZone} />
    </Page>
  );
}

function Running({ found: { expected, affected }, waitsForTomorrow }: BulkActionProps) {
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

function Ended({ found: { kind, state, expected, affected, finished_at }, timeZone }: BulkActionProps) {
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

function UndoOffer({ undo, timeZone }: Pick<BulkActionProps, "undo" | "timeZone">) {
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
