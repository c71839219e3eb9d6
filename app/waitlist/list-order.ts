/** The orders of the list, in words. */
export const listOrders = {
  newest: "Newest first",
  oldest: "Oldest first",
  address: "Addresses A to Z",
  "address-down": "Addresses Z to A",
} as const;

export type ListOrder = keyof typeof listOrders;
