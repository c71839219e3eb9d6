import { Fragment } from "react";
import { type ConsentCategory, categoryDetails } from "#app/consent/categories.ts";
import { type SiteCookie, siteCookies } from "#app/consent/cookies.ts";

const providers: Record<ConsentCategory, string> = {
  necessary: "this site",
  analytics: "Google Analytics",
  marketing: "the Meta Pixel",
};

export function CookieTable({ category }: { category: ConsentCategory }) {
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
