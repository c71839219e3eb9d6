import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { ConsentBanner } from "#app/consent/banner.tsx";
import type { Consent } from "#app/consent/consent.server.ts";
import { BANNER_ID } from "#app/consent/settings-link.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { useConsent } from "#app/consent/use-consent.ts";
import { Footer, type FooterData } from "#app/layout/footer.tsx";
import { Header } from "#app/layout/header.tsx";

interface PageFrameData extends FooterData {
  consent: Consent;
  tagIds: TagIds;
}

interface PageFrameProps {
  /** Absent when even these could not be loaded. */
  facts: PageFrameData | undefined;
  children: ReactNode;
}

/** What stands around every page. The page itself brings `<main id="main">`. */
export function PageFrame({ facts, children }: PageFrameProps) {
  useFocusOnNewPage();
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
      <Header />
      {children}
      <Footer facts={facts} onCookieSettings={consent.ask} />
      {consent.isShown ? <ConsentBanner {...consent} onChoose={consent.choose} /> : null}
    </>
  );
}

/**
 * Puts the focus where a page begins once a link has led to it without a page load: a browser does so by itself only
 * for whole documents, and a screen reader would say nothing. An anchor takes the focus on its own.
 */
function useFocusOnNewPage(): void {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (hash !== "") return;
    const main = document.getElementById("main");
    main?.setAttribute("tabindex", "-1");
    main?.focus({ preventScroll: true });
  }, [pathname, hash]);
}
