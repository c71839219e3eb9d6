import { site } from "#app/site.ts";

/** The product's name in a text. Translations leave it as it is. */
export function SiteName() {
  return <span translate="no">{site.name}</span>;
}
