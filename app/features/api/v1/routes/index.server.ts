import { type ApiRoute, defineRoute } from "#app/features/api/v1/route.server.ts";
import { getEntryRoute, listEntriesRoute } from "#app/features/api/v1/routes/entries-read.server.ts";
import {
  addEntryRoute,
  changeEntryRoute,
  eraseEntryRoute,
  unsubscribeEntryRoute,
} from "#app/features/api/v1/routes/entries-write.server.ts";
import { keyRoute } from "#app/features/api/v1/routes/key.server.ts";
import { dayStatsRoute, groupStatsRoute } from "#app/features/api/v1/routes/stats.server.ts";

const documentRoute = defineRoute({
  method: "get",
  path: "/openapi.json",
  id: "getDocument",
  summary: "Get this description as OpenAPI 3.1",
  description: "For tools and generated clients.",
  scope: "public",
  query: {},
  responses: { 200: { description: "The OpenAPI document.", schema: "Document" } },
  async handle({ app }) {
    const { openApi } = await import("#app/features/api/v1/openapi.server.ts");
    return { status: 200, json: openApi(routes)(app.config) };
  },
});

interface Feature {
  routes: readonly ApiRoute[];
}

/** Those of features that can be deleted: a file each, which is found by its place. */
const featureRoutes = Object.values(import.meta.glob<Feature>("./features/*.ts", { eager: true })).flatMap(
  ({ routes }) => routes,
);

/** Every route of the API, in the order of its description. */
export const routes: readonly ApiRoute[] = [
  listEntriesRoute,
  getEntryRoute,
  addEntryRoute,
  changeEntryRoute,
  unsubscribeEntryRoute,
  eraseEntryRoute,
  dayStatsRoute,
  groupStatsRoute,
  ...featureRoutes,
  keyRoute,
  documentRoute,
];
