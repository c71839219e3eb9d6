import { useState } from "react";
import { track } from "#app/consent/tracking/track.ts";
import { share, shareLinks } from "#app/features/share/share.ts";
import { site } from "#app/site.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";

interface SharePageProps {
  text?: string;
  /** The code of the visitor's personal link, which is then shared in place of the page's own. */
  via?: string | undefined;
}

/**
 * Shares the landing page from anywhere on the site: a share button, or plain links without JavaScript. If the browser
 * refuses to share, it shows the link. The button's value is for the inline script, which shows the link if React does not
 * start.
 */
export function SharePage({ text = site.description, via }: SharePageProps) {
  const { siteUrl = "" } = useRootData() ?? {};
  const url = via === undefined ? `${siteUrl}/` : personalLink(siteUrl, via);
  const [isRefused, setIsRefused] = useState(false);
  const content = { title: site.name, text, url };

  async function shareSite() {
    track({ kind: "clicked", target: "share" });
    setIsRefused(!(await share(content)));
  }

  return (
    <div className="share">
      <button className="button button-quiet share-button" type="button" value={url} onClick={shareSite}>
        <span>
          Share <SiteName />
        </span>
      </button>
      {isRefused ? (
        <label className="share-link">
          Copy this link: <input className="field" readOnly value={url} ref={selectAll} />
        </label>
      ) : null}
      {/* Browsers never render this with React, so they need not download it. */}
      <noscript>
        {import.meta.env.SSR ? (
          <ul className="bare-list actions">
            {shareLinks(content).map(({ name, href }) => (
              <li key={name}>
                <a className="button button-quiet" href={href} rel="noopener">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </noscript>
    </div>
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
