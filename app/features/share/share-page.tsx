import { useState } from "react";
import { track } from "#app/consent/tracking/track.ts";
import { share, shareLinks } from "#app/features/share/share.ts";
import { site } from "#app/site.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";
import type { ShareProps } from "#app/waitlist/sign-up/ticket/share-context.ts";

/**
 * Shares the landing page from anywhere on the site, or another page: a share button, or plain links without JavaScript.
 * If the browser refuses to share, it shows the link. The button's value is for the inline script, which shows the link
 * if React does not start.
 */
export function SharePage({ text = site.description, via, page, isMain, label }: ShareProps) {
  const { siteUrl = "" } = useRootData() ?? {};
  const { path = "/", title = site.name } = page ?? {};
  const url = via === undefined ? siteUrl + path : personalLink(siteUrl, via);
  const [isRefused, setIsRefused] = useState(false);
  const content = { title, text, url };

  async function shareSite() {
    track({ kind: "clicked", target: "share" });
    setIsRefused(!(await share(content)));
  }

  return (
    <div className="share">
      <button className={`${look(isMain)} share-button`} type="button" value={url} onClick={shareSite}>
        <span>
          {label ?? (
            <>
              Share <SiteName />
            </>
          )}
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
            {shareLinks(content).map(({ name, href }, index) => (
              <li key={name}>
                <a className={look(isMain && index === 0)} href={href} rel="noopener">
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

function look(isMain?: boolean): string {
  return isMain ? "button" : "button button-quiet";
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
