import { pageUrl, sitePages } from "#app/seo/site-pages.ts";
import { useSiteUrl } from "#app/seo/use-site-url.ts";
import { share } from "#app/share/share.ts";
import { shareLinks } from "#app/share/share-links.ts";
import { site } from "#app/site.ts";
import { track } from "#app/tracking/track.ts";
import { StillFor } from "#app/ui/still.tsx";

/** Shares the site: a button where scripts run, plain links where they do not. */
export function ShareButton() {
  const url = pageUrl(useSiteUrl() ?? "", sitePages.home);
  return <StillFor as="div" className="share" of={WaysToShare} facts={{ url }} />;
}

function WaysToShare({ url }: { url: string }) {
  const shared = { title: site.name, text: site.description, url };

  function shareSite() {
    track({ kind: "clicked", target: "share" });
    void share(shared);
  }

  return (
    <>
      <button className="button button-quiet share-button" type="button" onClick={shareSite}>
        Share {site.name}
      </button>
      <noscript>
        <ul className="share-links">
          {shareLinks(shared).map(({ name, href }) => (
            <li key={name}>
              <a className="button button-quiet" href={href} rel="noopener">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </noscript>
    </>
  );
}
