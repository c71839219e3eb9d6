import type { MouseEvent } from "react";
import { settingsLink } from "#app/consent/settings-link.ts";
import type { NavigationLink } from "#app/layout/links.ts";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";

export interface FooterData {
  contactEmail: string;
  facebookUrl?: string | undefined;
}

interface FooterProps {
  links: readonly NavigationLink[];
  data: FooterData | undefined;
  /** Opens the cookie banner; without JavaScript the link does. */
  onCookieSettings: () => void;
}

export function Footer({ links, data, onCookieSettings }: FooterProps) {
  const { contactEmail, facebookUrl } = data ?? {};

  function openCookieSettings(event: MouseEvent) {
    event.preventDefault();
    onCookieSettings();
  }

  return (
    <footer className="footer">
      <div className="page footer-columns">
        <div className="footer-words">
          <p className="footer-name" translate="no">
            <Logo />
            {site.name}
          </p>
          <p>Questions, ideas or a fair you love? Write to us. The owner reads every email.</p>
          {contactEmail === undefined ? null : (
            <p>
              <a className="quiet-link" href={`mailto:${contactEmail}`}>
                {contactEmail}
              </a>
            </p>
          )}
        </div>
        <nav aria-label="Footer">
          <ul className="bare-list footer-links">
            {links.map(({ to, name }) => (
              <li key={to}>
                <PageLink className="quiet-link" to={to}>
                  {name}
                </PageLink>
              </li>
            ))}
            <li>
              <a className="quiet-link" href={settingsLink} rel="nofollow" onClick={openCookieSettings}>
                Cookie settings
              </a>
            </li>
            {facebookUrl === undefined ? null : (
              <li>
                <a className="quiet-link" href={facebookUrl} rel="noopener">
                  <span>
                    <SiteName /> on Facebook
                  </span>
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
