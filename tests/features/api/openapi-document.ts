import { vi } from "vitest";
import { letters, referrals, series, visits, webhooks } from "#app/switches.ts";

/** Features that add to the document, as far as this site has them. */
export const everySwitch = (["letters", "series", "referrals", "visits", "webhooks"] as const).filter(
  (name) => ({ letters, series: letters && series, referrals, visits, webhooks })[name],
);

/** The OpenAPI document as it is without some features. Unmock `#app/switches.ts` after the test. */
export async function documentWithout(off: readonly (typeof everySwitch)[number][]) {
  vi.resetModules();
  const values = Object.fromEntries(off.map((name) => [name, false]));
  vi.doMock("#app/switches.ts", async (original) => ({ ...(await original<object>()), ...values }));
  const { openApi } = await import("#app/features/api/v1/openapi.server.ts");
  const { apiRoutes } = await import("#app/features/api/v1/routes/index.server.ts");
  return openApi(apiRoutes)({ SITE_URL: "https://waitlist.test" })();
}
