import { DecideForm, RulingText } from "#app/features/referrals/owner/decide-form.server.tsx";
import type { Referral } from "#app/features/referrals/owner/decisions.server.ts";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Page } from "#app/owner/ui/page.server.tsx";

interface ReferralProps {
  referral: Referral;
  rejected: { text: string; problem: string } | undefined;
  /** The page that led here. */
  back: string;
}

/** One referral: what the owner gets back if the note on it is not valid. */
export function referralView({ referral, rejected, back }: ReferralProps) {
  const { entryId, email, referrerId, referrerEmail } = referral;
  return (
    <Page title="Referral" section="referrals" back={{ href: back, name: "Back" }}>
      <Facts
        facts={[
          ["Friend", entryLink(entryId, email)],
          ["Brought by", entryLink(referrerId, referrerEmail)],
          ["Outcome", <RulingText key="outcome" {...referral} />],
        ]}
      />
      <DecideForm
        referral={referral}
        action={back.includes("/entries/") ? `/owner/referrals/${entryId}?from=entry` : `/owner/referrals/${entryId}`}
        rejected={rejected}
      />
    </Page>
  );
}

function entryLink(id: number, email: string) {
  return <a href={`/owner/entries/${id}`}>{email}</a>;
}
