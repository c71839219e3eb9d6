import { describeSelection } from "#app/owner/entries/describe-selection.ts";
import type { Erasure } from "#app/owner/entries/erase-many/erasures.server.ts";
import { SelectionList } from "#app/owner/entries/erase-many/selection-list.server.tsx";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Page } from "#app/owner/ui/page.server.tsx";
import { maxEraseWrites, type WorkersPlan } from "#app/server/plan-limits.ts";

interface ErasureProps {
  found: Erasure;
  timeZone: string;
  plan: WorkersPlan;
  /** Rows that erasures have written today. */
  writtenToday: number;
}

const titles = { running: "Erasing entries", done: "Entries erased", stopped: "Erasing stopped" };

/** How far an erasure is, or what it did. */
export function erasureView({ found, ...context }: ErasureProps) {
  const { id, state, filter, search, expected, erased } = found;
  const isRunning = state === "running";
  const filters = [...(search === "" ? ["A search in addresses"] : []), ...describeSelection(filter, search)];
  return (
    <Page title={titles[state]} section="entries" back={{ href: "/owner/entries", name: "Back to the list" }}>
      <p className="lead">{counted(expected, "entry matched:", "entries matched:")}</p>
      <SelectionList filters={filters} />
      {isRunning ? <Running found={found} {...context} /> : <Ended found={found} {...context} />}
      <dl className="tiles">
        <Tile name="Erased" value={erased} main />
        <Tile name={isRunning ? "Left" : "Not erased"} value={expected - erased} />
      </dl>
      {isRunning ? (
        <>
          <Actions>
            <ButtonLink label="Refresh" href={`/owner/erasures/${id}`} />
          </Actions>
          <Confirm
            label="Stop now"
            question="Stop erasing"
            value="stop"
            text="The entries that are left stay on the list. Those that were erased do not come back."
          />
        </>
      ) : null}
    </Page>
  );
}

function Running({ found: { expected, erased }, plan, writtenToday }: ErasureProps) {
  return (
    <>
      <p>
        <label htmlFor="progress">{`${Math.floor((erased / expected) * 100)}% done.`}</label>{" "}
        <progress id="progress" value={erased} max={expected} />
      </p>
      {writtenToday >= maxEraseWrites[plan] ? (
        <Message>
          What the database may do today to erase entries is used up. Erasing goes on after midnight UTC.
        </Message>
      ) : (
        <p>You can leave this page: erasing continues by itself, every minute.</p>
      )}
    </>
  );
}

function Ended({ found: { state, expected, erased, finished_at }, timeZone }: ErasureProps) {
  const when = finished_at === null ? "" : ` ${formatTime(finished_at, timeZone)}`;
  const entries = counted(erased, "entry was", "entries were");
  const isShort = state === "done" && erased < expected;
  return (
    <Message kind="success">
      {`${state === "done" ? "Finished" : "Stopped"}${when}. ${entries} erased.`}
      {isShort ? " The others had been erased before, or did not match the filters any more." : ""}
    </Message>
  );
}
