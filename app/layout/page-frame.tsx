import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { ConsentBanner } from "#app/consent/banner.tsx";
import type { Consent } from "#app/consent/consent.server.ts";
import { BANNER_ID } from "#app/consent/settings-link.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { useConsent } from "#app/consent/use-consent.ts";
import { ConsoleError } from "#app/layout/console-error.tsx";
import { Footer, type FooterData } from "#app/layout/footer.tsx";
import { Header } from "#app/layout/header.tsx";
import type { NavigationLink } from "#app/layout/links.ts";
import { BUSY } from "#app/ui/script-attributes.ts";

interface PageFrameProps {
  links: Record<"header" | "footer", readonly NavigationLink[]>;
  /** Undefined if the root loader failed. */
  data: (FooterData & { consent: Consent; tagIds: TagIds }) | undefined;
  children: ReactNode;
}

/** Header, footer and cookie banner around every page, which renders `<main id="main">` itself. */
export function PageFrame({ links, data, children }: PageFrameProps) {
  useFocusOnNewPage();
  useNavigationProgress();
  const consent = useConsent(data);
  return (
    <>
      <a className="skip-link button" href="#main">
        Skip to the content
      </a>
      {data?.consent.isUnreadable ? <ConsoleError message="Cookie preferences could not be read" /> : null}
      {consent.isShown ? (
        <a className="skip-link button" href={`#${BANNER_ID}`}>
          Skip to the cookie choice
        </a>
      ) : null}
      <Header links={links.header} />
      {children}
      <Footer links={links.footer} data={data} onCookieSettings={consent.showBanner} />
      {consent.isShown ? <ConsentBanner {...consent} /> : null}
    </>
  );
}

/** Unmarks the link that was pressed, see {@link PageLink}, when its client-side navigation has ended. */
function useNavigationProgress(): void {
  const isLoading = useNavigation().state !== "idle";
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an anchor on the same page changes the key only.
  useEffect(() => {
    if (!isLoading) document.querySelector(`a[${BUSY}]`)?.removeAttribute(BUSY);
  }, [isLoading, key]);
}

/**
 * Moves the focus to the main content after a client-side navigation, so that screen readers announce the new page, as
 * browsers do after a document load. Links to an anchor move the focus already.
 */
function useFocusOnNewPage(): void {
  const { pathname, hash } = useLocation();
  const previousPathname = useRef(pathname);
  useEffect(() => {
    if (previousPathname.current === pathname) return;
    previousPathname.current = pathname;
    if (hash !== "") return;
    const main = document.getElementById("main");
    main?.setAttribute("tabindex", "-1");
    main?.focus({ preventScroll: true });
  }, [pathname, hash]);
}
