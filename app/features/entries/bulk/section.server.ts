import { changeBulkAction, showBulkAction } from "#app/features/entries/bulk/bulk-page.server.tsx";
import { confirmBulkAction, showConfirmation } from "#app/features/entries/bulk/confirm-page.server.tsx";
import { showSelected } from "#app/features/entries/bulk/select-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

/** Changes all the entries that the list shows. Its pages belong to the list, which links to them. */
export const bulkSection: OwnerSection = {
  section: "bulk",
  routes: [
    { method: "get", path: "/entries/select", handler: showSelected },
    { method: "get", path: "/entries/erase", handler: (c) => showConfirmation(c, "erase") },
    { method: "post", path: "/entries/erase", handler: (c) => confirmBulkAction(c, "erase") },
    { method: "get", path: "/entries/unsubscribe", handler: (c) => showConfirmation(c, "unsubscribe") },
    { method: "post", path: "/entries/unsubscribe", handler: (c) => confirmBulkAction(c, "unsubscribe") },
    { method: "get", path: "/bulk/:id", handler: showBulkAction },
    { method: "post", path: "/bulk/:id", handler: changeBulkAction },
  ],
  outcomes: {
    "bulk-busy": "Entries are being changed already. Try again once that has ended. Nothing was changed.",
  },
  subject: { key: "bulkActionId", name: "bulk action", path: "/owner/bulk" },
};
