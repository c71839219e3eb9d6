import { MAX_RESENDS } from "#app/email/requeue.server.ts";
import { editEntry, editOutcomes, showEdit } from "#app/features/entries/edit-page.server.tsx";
import styles from "#app/features/entries/entries.css?url";
import { changeEntry, showEntry } from "#app/features/entries/entry-page.server.tsx";
import { downloadExport, redirectToExport, showExport } from "#app/features/entries/export-page.server.tsx";
import { search, showList } from "#app/features/entries/list-page.server.tsx";
import { addNewEntry, showNewEntry } from "#app/features/entries/new-entry-page.server.tsx";
import { repeatOutcomes } from "#app/features/entries/send-repeated.server.ts";
import { addView, changeView, showViews } from "#app/features/entries/views/views-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { MAX_NOTE_BODY_BYTES } from "#app/waitlist/entries/note.ts";

export const entriesSection: OwnerSection = {
  section: "entries",
  styles,
  link: { href: "/owner/entries", name: "Entries" },
  routes: [
    { method: "get", path: "/entries", handler: showList },
    { method: "post", path: "/entries", handler: search },
    { method: "get", path: "/entries/new", handler: showNewEntry },
    { method: "post", path: "/entries/new", handler: addNewEntry },
    { method: "get", path: "/entries/views", handler: (c) => showViews(c) },
    { method: "post", path: "/entries/views", handler: addView },
    { method: "post", path: "/entries/views/:id", handler: changeView },
    { method: "get", path: "/entries/:id", handler: (c) => showEntry(c) },
    { method: "post", path: "/entries/:id", handler: changeEntry, maxBody: MAX_NOTE_BODY_BYTES },
    { method: "get", path: "/entries/:id/edit", handler: (c) => showEdit(c) },
    { method: "post", path: "/entries/:id/edit", handler: editEntry },
    { method: "get", path: "/export", handler: (c) => showExport(c) },
    { method: "get", path: "/export.csv", handler: redirectToExport },
    { method: "post", path: "/export.csv", handler: downloadExport },
  ],
  outcomes: {
    resent: "The welcome email is queued again. It is sent now, or as soon as the send limit allows.",
    "resend-failed":
      "The email has not been sent yet. The reason is below. It will be retried, unless it has failed for good.",
    "resend-limit": `The welcome email can be sent again at most ${MAX_RESENDS} times in 24 hours. Nothing was changed.`,
    ...repeatOutcomes,
    ...editOutcomes,
    unsubscribed: "The entry is unsubscribed. We’ll stop emailing it. You can undo this for 30 days.",
    "unsubscribing-undone":
      "The person is on the list again, as before. Emails that waited when you unsubscribed them were deleted.",
    allowed:
      "Email to this address is allowed again. Emails that were not sent in the meantime stay unsent until you send them again.",
    "allow-refused": "Choose why email to this address is safe again. Nothing was changed.",
    added: "The person is on the waitlist. Their email is sent now, or as soon as the send limit allows.",
    "added-unsent":
      "The person is on the waitlist. Their email has not been sent yet: the reason is below. It will be retried, unless it has failed for good.",
    "added-quietly": "The person is on the waitlist. No email was sent.",
    "view-saved": "The view is saved. It is among the parts of the list.",
    "view-renamed": "The view is renamed.",
    "view-deleted": "The view is deleted.",
    noted: "The note is saved.",
    erased: "The entry and everything linked to it have been erased.",
  },
  subject: { key: "entryId", name: "entry", path: "/owner/entries", endedBy: "erase" },
};
