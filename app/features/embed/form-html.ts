import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { type ConsentWording, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";

/** Bots skip what is not displayed. */
const UNSEEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";

/**
 * The sign-up form for another site: plain HTML, which needs neither script nor our styles. Its fields are those of the
 * site's own form, so that every address which that accepts can be typed. Its target is the whole tab: where site
 * builders put it into a frame, the response could not be shown there, because no one may frame this site.
 *
 * @param source a name that people who use it get as their source
 */
export function formHtml(siteUrl: string, source: string, wording: ConsentWording): string {
  return `<form class="waitlist-form" method="post" accept-charset="utf-8"
  action="${siteUrl}${EMBED_PATH}" target="_top">
  <p>
    <label for="waitlist-email">Your email address</label>
    <input id="waitlist-email" name="email" type="text" required
      inputmode="email" autocomplete="email"
      autocapitalize="none" autocorrect="off" spellcheck="false">
    <button type="submit">Join the waitlist</button>
  </p>
  <p>
    ${wording.text}
    <a href="${siteUrl}/privacy">Privacy policy</a>
  </p>
  <p aria-hidden="true" style="${UNSEEN}">
    <label>Leave empty
      <input name="${HONEYPOT_FIELD}" type="text" tabindex="-1" autocomplete="off">
    </label>
  </p>
  <input type="hidden" name="source" value="${source}">
  <input type="hidden" name="${WORDING_FIELD}" value="${wording.version}">
</form>`;
}

/** Styles to begin with, in the other site's own stylesheet. */
export const formCss = `.waitlist-form label {
  display: block;
}

.waitlist-form input,
.waitlist-form button {
  padding: 0.6em 0.8em;
  border: 1px solid;
  border-radius: 6px;
  font: inherit;
}`;

/** Where forms on other sites are sent. */
const EMBED_PATH = "/api/embed";
