import { defineRoute } from "#app/features/api/v1/route.server.ts";

export const keyRoute = defineRoute({
  method: "get",
  path: "/key",
  id: "getKey",
  summary: "Get the key’s name and scopes",
  description: "Shows whether a key works.",
  scope: null,
  query: {},
  responses: { 200: { description: "The key of this request, without the key itself.", schema: "Key" } },
  handle: async ({ key }) => ({ status: 200, body: { name: key?.name, scopes: key?.scopes } }),
});
