import { type ConsentCategory, categoryFacts, type SiteCookie, siteCookies } from "#app/consent/cookies.ts";

/** The cookies of one category. */
export function CookieTable({ category }: { category: ConsentCategory }) {
  const { title, provider } = categoryFacts[category];
  return (
    <table className="cookie-table">
      <caption>
        {title} cookies, set by {provider}
      </caption>
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
        <code>{name}</code>
        {variants === "none" ? null : " and names that begin with it"}
      </th>
      <td>{purpose}</td>
      <td>{lifetime}</td>
    </tr>
  );
}
