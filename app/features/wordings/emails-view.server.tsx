import { type WordedKind, wordedKinds } from "#app/email/templates/wording.ts";
import type { StoredWording } from "#app/features/wordings/wordings.server.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Outcome, Page } from "#app/owner/ui/page.server.tsx";

interface EmailsProps {
  /** Those that have an owner's words. */
  changed: StoredWording[];
  mustConfirm: boolean;
  timeZone: string;
}

/** When each email is sent. */
const occasions: Record<WordedKind, string> = {
  welcome: "To everyone who joins",
  confirm: "To everyone who joins, before the welcome email",
  "confirm-reminder": "Once, three days later, to those who have not confirmed",
};

export function emailsView({ changed, mustConfirm, timeZone }: EmailsProps) {
  const stateOf = (kind: WordedKind) => {
    const found = changed.find((wording) => wording.kind === kind);
    return found === undefined ? "Original" : `Changed ${formatTime(found.updated_at, timeZone)}`;
  };
  const isSent = (kind: WordedKind) => kind === "welcome" || mustConfirm;
  return (
    <Page title="Words of emails" section="emails" back={{ href: "/owner#emails", name: "Back to the overview" }}>
      <Outcome />
      <p className="lead">The emails that the site sends automatically to people who join.</p>
      <Table
        className="cards"
        caption="Open one to read or change it"
        columns={[
          { name: "Email", kind: "words", cell: (kind) => <a href={`/owner/emails/${kind}`}>{emailKinds[kind]}</a> },
          {
            name: "Sent",
            kind: "words",
            cell: (kind) => (isSent(kind) ? occasions[kind] : "Not now: people are not asked to confirm their address"),
          },
          { name: "Words", kind: "words", cell: stateOf },
        ]}
        rows={[...wordedKinds]}
        rowKey={(kind) => kind}
      />
      {mustConfirm ? null : <Advanced>set CONFIRM_ADDRESSES to on to ask people to confirm.</Advanced>}
    </Page>
  );
}
