import type { ListOrder } from "#app/server/db/schema/saved-views.server.ts";

export const listOrders: Readonly<Record<ListOrder, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  address: "Addresses A to Z",
  "address-down": "Addresses Z to A",
};
