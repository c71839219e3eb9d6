import type { ReactNode } from "react";
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
