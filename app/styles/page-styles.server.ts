import { encodedOnce } from "#app/encoded-once.ts";
import errorPage from "#app/frame/error-page.css?inline";
import legal from "#app/legal/legal.css?inline";
import first from "#app/styles/first.css?inline";
import landing from "#app/styles/landing.css?inline";
import roadmap from "#app/styles/roadmap.css?inline";
import survey from "#app/survey/survey.css?inline";
import yourData from "#app/your-data/your-data.css?inline";

/** What the first paint of each route needs besides the styles of every page, by route id. */
const byRoute: Record<string, string> = {
  "routes/home": landing,
  "routes/roadmap": roadmap,
  "routes/survey": survey,
  "routes/privacy": legal,
  "routes/cookie-policy": legal,
  "routes/your-data": yourData,
};

/**
 * The styles that stand in a page itself, so that its first paint waits for nothing else, encoded.
 *
 * @param routeIds of the routes that make up the page
 */
export function pageStyles(routeIds: string[]): Uint8Array {
  return stylesFor(routeIds.join(" "));
}

const stylesFor = encodedOnce((routeIds) => {
  const own = routeIds.split(" ").flatMap((id) => byRoute[id] ?? []);
  return [first, ...(own.length > 0 ? own : [errorPage])].join("");
});
