import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Footer, type FooterFacts } from "#app/frame/footer.tsx";
import { TopBar } from "#app/frame/top-bar.tsx";
import "#app/frame/frame.css";
import "#app/pictures/palette.css";
import "#app/pictures/pictures.css";

interface FrameProps {
  /** Absent when even these could not be loaded. */
  facts: FooterFacts | undefined;
  children: ReactNode;
}

/** What stands around every page. The page itself brings `<main id="main">`. */
export function Frame({ facts, children }: FrameProps) {
  useFocusOnNewPage();
  return (
    <>
      <a className="skip-link button" href="#main">
        Skip to the content
      </a>
      <TopBar />
      {children}
      <Footer facts={facts} />
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
