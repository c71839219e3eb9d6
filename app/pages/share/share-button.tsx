import { track } from "#app/consent/tracking/track.ts";
import { share } from "#app/pages/share/share.ts";
import { shareLinks } from "#app/pages/share/share-links.ts";
import { site } from "#app/site.ts";

/** A share button, or plain links without JavaScript. */
export function ShareButton({ url }: { url: string }) {
  const content = { title: site.name, text: site.description, url };

  function shareSite() {
    track({ kind: "clicked", target: "share" });
    void share(content);
  }

  return (
    <div className="share">
      <button className="button button-quiet share-button" type="button" onClick={shareSite}>
        Share {site.name}
      </button>
      <noscript>
        <ul className="share-links">
          {shareLinks(content).map(({ name, href }) => (
            <li key={name}>
              <a className="button button-quiet" href={href} rel="noopener">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </noscript>
    </div>
  );
}
