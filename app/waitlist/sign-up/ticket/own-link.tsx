import { use, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Millis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { personalLink, qrCodePath } from "#app/waitlist/entries/personal-link.ts";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";

/**
 * The personal link, to copy, to share or to scan. The button that does most where it stands is the filled one: sharing,
 * or copying where the browser has no share sheet. Without personal links, shares the site.
 */
export function OwnLink({ via }: { via: string | undefined }) {
  const { siteUrl = "" } = useRootData() ?? {};
  const Share = use(ShareContext);
  const hasShareSheet = useSyncExternalStore(never, canShare, () => true);
  const link = useRef<HTMLParagraphElement>(null);
  if (!switches.referrals || via === undefined) return Share && <Share isMain />;
  const url = personalLink(siteUrl, via);
  const isShareMain = Share !== null && hasShareSheet;
  return (
    <div className="own-link">
      <div className="own-link-words">
        <h3>Invite friends with your link</h3>
        <p ref={link} className="own-link-address" translate="no">
          {url}
        </p>
        <div className="own-link-actions">
          {Share ? <Share via={via} isMain={isShareMain} label="Share" /> : null}
          <CopyButton url={url} link={link} isMain={!isShareMain} />
        </div>
      </div>
      <figure className="own-link-code">
        <img src={qrCodePath(via)} alt="QR code of your link" width="200" height="200" />
        <figcaption>Let a friend scan it</figcaption>
      </figure>
    </div>
  );
}

/** How long the button says what it has done. */
const FEEDBACK_DURATION: Millis = 4_000;

interface CopyButtonProps {
  url: string;
  link: { current: HTMLElement | null };
  isMain: boolean;
}

/** Selects the link where the browser does not let it copy. The value is for the inline script, as that of the share button. */
function CopyButton({ url, link, isMain }: CopyButtonProps) {
  const [outcome, setOutcome] = useState("");

  useEffect(() => {
    const timer = setTimeout(() => setOutcome(""), FEEDBACK_DURATION);
    return () => clearTimeout(timer);
  });

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setOutcome("Link copied");
    } catch {
      if (link.current !== null) getSelection()?.selectAllChildren(link.current);
      setOutcome("Link selected");
    }
  }

  return (
    <>
      <button className={isMain ? "button" : "button button-quiet"} type="button" value={url} onClick={copy}>
        <span key={outcome}>{outcome || "Copy link"}</span>
      </button>
      <span className="visually-hidden" role="status">
        {outcome}
      </span>
    </>
  );
}

function canShare(): boolean {
  return typeof navigator.share === "function";
}

function never(): () => void {
  return () => {};
}
