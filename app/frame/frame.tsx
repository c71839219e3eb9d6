import type { ReactNode } from "react";
import { ConsentBanner } from "#app/consent/banner.tsx";
import type { Consent } from "#app/consent/consent.server.ts";
import { BANNER_ID } from "#app/consent/settings-link.ts";
import { useConsent } from "#app/consent/use-consent.ts";
import { Footer, type FooterFacts } from "#app/frame/footer.tsx";
import { TopBar } from "#app/frame/top-bar.tsx";
import "#app/frame/frame.css";
import "#app/pictures/palette.css";
import "#app/pictures/pictures.css";
import type { TagIds } from "#app/tracking/tag-ids.ts";

interface FrameFacts extends FooterFacts {
  consent: Consent;
  tagIds: TagIds;
}

interface FrameProps {
  /** Absent when even these could not be loaded. */
  facts: FrameFacts | undefined;
  children: ReactNode;
}

/** What stands around every page. The page itself brings `<main id="main">`. */
export function Frame({ facts, children }: FrameProps) {
  const consent = useConsent(facts);
  return (
    <>
      <a className="skip-link button" href="#main">
        Skip to the content
      </a>
      {consent.isShown ? (
        <a className="skip-link button" href={`#${BANNER_ID}`}>
          Skip to the cookie choice
        </a>
      ) : null}
      <TopBar />
      {children}
      <Footer facts={facts} onCookieSettings={consent.ask} />
      {consent.isShown ? <ConsentBanner {...consent} onChoose={consent.choose} /> : null}
    </>
  );
}
