import { Fragment } from "react";
import { type ConsentCategory, categoryDetails, consentCategories } from "#app/consent/categories.ts";
import { saveConsentPost } from "#app/consent/consent.server.ts";
import { type SiteCookie, siteCookies } from "#app/consent/cookies.ts";
import { preferenceCookie } from "#app/consent/preference-cookie.ts";
import { settingsLink } from "#app/consent/settings-link.ts";
import { cookiePolicyChanges, cookiePolicyUpdated } from "#app/features/legal/commitments.ts";
import { cookiePolicyPage } from "#app/features/legal/page.ts";
import { PolicyPage, PolicySection } from "#app/features/legal/policy-page.tsx";
import { appContext } from "#app/server/context.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import type { Route } from "./+types/cookie-policy";

export const handle = { page: cookiePolicyPage };

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(appContext).config.CONTACT_EMAIL };
}

/** The consent banner on every page posts here. */
export function action({ request, url }: Route.ActionArgs) {
  return saveConsentPost(request, url);
}

export default function CookiePolicyPage({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <PolicyPage
      page={cookiePolicyPage}
      title="Cookie policy"
      updated={cookiePolicyUpdated}
      changes={cookiePolicyChanges}
    >
      <PolicySection id="what-cookies-are" title="What cookies are">
        <p>
          A cookie is a short piece of text that a site asks your browser to store and send back on later visits.{" "}
          <SiteName /> needs one of its own, to remember your choice. The others in the list below are set only if you
          agree to them.
        </p>
      </PolicySection>
      <PolicySection id="types-of-cookies" title="Types of cookies">
        {consentCategories.map((category) => (
          <section key={category} className="cookie-category">
            <h3>{categoryDetails[category].title}</h3>
            <p>{categoryDetails[category].description}</p>
            <CookieTable category={category} />
            {category === "analytics" ? (
              <p className="cookie-note">
                Cloudflare Web Analytics belongs here too, and sets no cookies. It receives the address of each page
                that your browser loads, the page you came from, and how fast the page loaded and reacted.
              </p>
            ) : null}
          </section>
        ))}
      </PolicySection>
      <PolicySection id="your-choices" title="Your choices">
        <p>
          A banner asks for your choice. Until you make one, analytics and marketing stay off. You can accept
          everything, accept only the categories you pick, or decline everything. The site works the same either way.
        </p>
        <p>
          {`Your choice is kept for ${preferenceCookie.maxAgeDays} days,`} and you can change it at any time in the{" "}
          <a href={settingsLink} rel="nofollow">
            cookie settings
          </a>
          , linked at the foot of every page. If you decline a category, its cookies are removed and its services are
          switched off. If we ever want to use a new service, we ask you again.
        </p>
        <p>
          If your browser sends a Global Privacy Control signal, marketing stays off, even if you accept everything,
          unless you switch it on yourself.
        </p>
      </PolicySection>
      <PolicySection id="how-to-control-cookies" title="How to control cookies">
        <p>
          Every browser lets you see, delete and block cookies, for all sites or for one; look for “cookies” or “site
          data” in its settings. If you delete <span translate="no">{preferenceCookie.name}</span>, the banner asks you
          again on your next visit.
        </p>
        <p>
          Google offers a{" "}
          <a href="https://tools.google.com/dlpage/gaoptout">browser add-on that switches Google Analytics off</a>{" "}
          everywhere, and Facebook has{" "}
          <a href="https://www.facebook.com/adpreferences/">settings for the adverts you are shown</a>.
        </p>
      </PolicySection>
      <PolicySection id="contact" title="Contact">
        <p>
          Is something unclear, or is a cookie missing from the list? Write to <a href={`mailto:${email}`}>{email}</a>.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}

const providers: Record<ConsentCategory, string> = {
  necessary: "this site",
  analytics: "Google Analytics",
  marketing: "the Meta Pixel",
};

function CookieTable({ category }: { category: ConsentCategory }) {
  return (
    <table className="cookie-table">
      <caption>{`${categoryDetails[category].title} cookies, set by ${providers[category]}`}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">What it does</th>
          <th scope="col">Lasts</th>
        </tr>
      </thead>
      <tbody>{siteCookies.filter((cookie) => cookie.category === category).map(row)}</tbody>
    </table>
  );
}

function row({ name, variants, purpose, lifetime }: SiteCookie) {
  return (
    <tr key={name}>
      <th scope="row">
        <code>{breakable(name)}</code>
        {variants === "none" ? null : (
          <>
            , <code translate="no">{variants === "suffixed" ? `${name}_…` : `${name}…`}</code>
          </>
        )}
      </th>
      <td>{purpose}</td>
      <td>{lifetime}</td>
    </tr>
  );
}

/** Allows line breaks before capital letters only. */
function breakable(name: string) {
  const parts = name.split(/(?=[A-Z])/);
  if (parts.length === 1) return name;
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index === 0 ? null : <wbr />}
      <span>{part}</span>
    </Fragment>
  ));
}
