import * as switches from "#app/switches.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { personalLink, qrCodePath } from "#app/waitlist/entries/personal-link.ts";

export function OwnLink({ via }: { via: string }) {
  const { siteUrl = "" } = useRootData() ?? {};
  const url = personalLink(siteUrl, via);
  if (!switches.referrals) return null;
  return (
    <details className="own-link">
      <summary>Invite friends with your link</summary>
      <p translate="no">{url}</p>
      <img src={qrCodePath(via)} alt="QR code of your link" width="200" height="200" loading="lazy" />
    </details>
  );
}
