import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { type ApiRoute, defineRoute } from "#app/features/api/v1/route.server.ts";
import { findEntryRoute, getEntryRoute, listEntriesRoute } from "#app/features/api/v1/routes/entries-read.server.ts";
import {
  addEntryRoute,
  changeEntryRoute,
  eraseEntryRoute,
  unsubscribeEntryRoute,
} from "#app/features/api/v1/routes/entries-write.server.ts";
import { dayStatsRoute, groupStatsRoute } from "#app/features/api/v1/routes/stats.server.ts";

const keyRoute = defineRoute({
  method: "get",
  path: "/key",
  id: "getKey",
  summary: "Get the key’s name and scopes",
  description: "Shows whether a key works.",
  scope: null,
  responses: { 200: { description: "The key of this request, without the key itself.", schema: "Key" } },
  handle: async ({ key }) => ({
    status: 200,
    body: { name: key?.name, scopes: key?.scopes.filter((scope) => scope in apiScopes) },
  }),
});

const documentRoute = defineRoute({
  method: "get",
  path: "/openapi.json",
  id: "getDocument",
  summary: "Get this description as OpenAPI 3.1",
  description: "For tools and generated clients. Pages of any site may load it.",
  scope: "public",
  responses: { 200: { description: "The OpenAPI document.", schema: "Document" } },
  async handle({ app }) {
    const { openApi, openApiText } = await import("#app/features/api/v1/openapi.server.ts");
    const headers = { "Access-Control-Allow-Origin": "*" };
    return { status: 200, json: openApiText(openApi(apiRoutes)(app.config)()), headers };
  },
});

/** Those of features that can be deleted: a file each, which is found by its folder. */
const ofFeatures = import.meta.glob<ApiRoute[]>("./features/*.ts", { eager: true, import: "featureRoutes" });

/** Every route of the API, in the order of its description. */
export const apiRoutes: readonly ApiRoute[] = [
  listEntriesRoute,
  getEntryRoute,
  findEntryRoute,
  addEntryRoute,
  changeEntryRoute,
  unsubscribeEntryRoute,
  eraseEntryRoute,
  dayStatsRoute,
  groupStatsRoute,
  ...Object.values(ofFeatures).flat(),
  keyRoute,
  documentRoute,
];
