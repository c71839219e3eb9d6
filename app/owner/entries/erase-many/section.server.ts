import {
  changeErasure,
  confirmErasing,
  showErasing,
  showErasure,
} from "#app/owner/entries/erase-many/erase-handlers.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

/** Erases the entries that the list shows. Its pages belong to the list, which links to them. */
export const eraseManySection: OwnerSection = {
  section: "erase-many",
  routes: [
    { method: "get", path: "/entries/erase", handler: (c) => showErasing(c) },
    { method: "post", path: "/entries/erase", handler: confirmErasing },
    { method: "get", path: "/erasures/:id", handler: showErasure },
    { method: "post", path: "/erasures/:id", handler: changeErasure },
  ],
  subject: { key: "erasureId", name: "erasure", path: "/owner/erasures" },
};
