import type { EmailStats } from "#app/email/email-stats.server.ts";
import { neverRequeued } from "#app/email/requeue.server.ts";
import { listHref } from "#app/owner/overview/list-links.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Table } from "#app/owner/ui/table.server.tsx";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { emailFilterValue, emailStates, isEmailReason, NOT_ATTEMPTED } from "#app/waitlist/email-filter.ts";

type Reason = EmailStats["reasons"][number];

/** Why emails are waiting or failed, each with a link to the entries concerned. */
export function EmailReasons({ emails: { reasons } }: { emails: EmailStats }) {
  if (reasons.length === 0) return null;
  return (
    <Table
      caption="Why emails are waiting or failed"
      columns={[
        { name: "State", cell: ({ state }) => emailStates[state] },
        { name: "Reason", kind: "words", cell: (row) => <ReasonLink {...row} /> },
        { name: "Emails", kind: "number", cell: ({ emails }) => formatNumber(emails) },
      ]}
      rows={reasons}
      rowKey={({ state, reason }) => `${state} ${reason}`}
    />
  );
}

function ReasonLink({ state, reason }: Reason) {
  if (reason !== null && !isEmailReason(reason)) return reason;
  return <a href={listHref({ email: emailFilterValue({ state, reason }) })}>{reasonText(reason) ?? NOT_ATTEMPTED}</a>;
}

/** Buttons that requeue dead emails. Those that may have arrived need a decision of their own. */
export function Retry({ emails: { dead, reasons } }: { emails: EmailStats }) {
  const count = (known: readonly string[]) =>
    reasons
      .filter(({ state, reason }) => state === "dead" && known.includes(reason ?? ""))
      .reduce((sum, { emails }) => sum + emails, 0);
  const uncertain = count(["outcome-unknown"]);
  const unwanted = count(neverRequeued);
  const failed = dead - uncertain - unwanted;
  if (dead === 0) return null;
  return (
    <div className="email-retry">
      {failed === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <Button label="Try again" kind="quiet" />
          <p className="hint">{`Sends ${emailCount(failed)} again. Do this once the cause is fixed.`}</p>
        </form>
      )}
      {uncertain === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <Button label="Send again anyway" kind="quiet" name="emails" value="outcome-unknown" />
          <p className="hint">
            {`The provider never confirmed ${emailCount(uncertain)}. Some people may get a second copy.`}
          </p>
        </form>
      )}
      {unwanted === 0 ? null : (
        <p className="hint">
          {`${counted(unwanted, "email is", "emails are")} never sent again: the address does not accept email, or the person wants none.`}
        </p>
      )}
    </div>
  );
}

function emailCount(emails: number): string {
  return counted(emails, "email", "emails");
}
