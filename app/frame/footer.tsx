import type { MouseEvent } from "react";
import { Link } from "react-router";
import { settingsLink } from "#app/consent/settings-link.ts";
import { Logo } from "#app/pictures/logo.tsx";
import { site } from "#app/site.ts";
import "#app/frame/footer.css";

export interface FooterFacts {
  contactEmail: string;
  facebookUrl?: string | undefined;
}

const pages = [
  { to: "/roadmap", name: "Roadmap" },
  { to: "/survey", name: "Survey" },
  { to: "/privacy", name: "Privacy policy" },
  { to: "/cookie-policy", name: "Cookie policy" },
];

interface FooterProps {
  facts: FooterFacts | undefined;
  /** Shows the cookie banner; without JavaScript the link does. */
  onCookieSettings: () => void;
}

export function Footer({ facts, onCookieSettings }: FooterProps) {
  function askForCookies(event: MouseEvent) {
    event.preventDefault();
    onCookieSettings();
  }

  return (
    <footer className="footer">
      <div className="page footer-columns">
        <div className="footer-words">
          <p className="footer-name">
            <Logo />
            {site.name}
          </p>
          <p>Questions, ideas, a fair you love: write to us. The owner reads every e-mail.</p>
          {facts === undefined ? null : (
            <p>
              <a className="quiet-link" href={`mailto:${facts.contactEmail}`}>
                {facts.contactEmail}
              </a>
            </p>
          )}
        </div>
        <nav aria-label="Footer">
          <ul className="footer-links">
            {pages.map(({ to, name }) => (
              <li key={to}>
                <Link className="quiet-link" to={to} viewTransition>
                  {name}
                </Link>
              </li>
            ))}
            <li>
              <a className="quiet-link" href={settingsLink} rel="nofollow" onClick={askForCookies}>
                Cookie settings
              </a>
            </li>
            {facts?.facebookUrl === undefined ? null : (
              <li>
                <a className="quiet-link" href={facts.facebookUrl} rel="noopener">
                  {site.name} on Facebook
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
