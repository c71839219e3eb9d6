import { track } from "#app/consent/tracking/track.ts";
import { share } from "#app/pages/share/share.ts";
import { shareLinks } from "#app/pages/share/share-links.ts";
import { site } from "#app/site.ts";
import { StillFor } from "#app/ui/still.tsx";

/** Shares the site: a button where scripts run, plain links where they do not. */
export function ShareButton({ url }: { url: string }) {
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
