import { sql } from "drizzle-orm";
import { changeLink, serveCopyScript, showLink } from "#app/features/links/link-page.server.tsx";
import styles from "#app/features/links/links.css?url";
import { nameLinks } from "#app/features/links/links.server.ts";
import { downloadQrCode, makeLink, showLinks } from "#app/features/links/links-page.server.tsx";
import { showPrint } from "#app/features/links/print/print-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const linksSection: OwnerSection = {
  section: "links",
  styles,
  link: { href: "/owner/links", name: "Links" },
  routes: [
    { method: "get", path: "/links", handler: (c) => showLinks(c) },
    { method: "post", path: "/links", handler: makeLink },
    { method: "get", path: "/links/:id", handler: showLink },
    { method: "post", path: "/links/:id", handler: changeLink },
    { method: "get", path: "/links/copy.js", handler: serveCopyScript },
    { method: "get", path: "/links/print", handler: showPrint },
    { method: "get", path: "/links/qr.svg", handler: downloadQrCode },
    { method: "get", path: "/links/qr.png", handler: downloadQrCode },
  ],
  firstSteps: () => [
    {
      key: "link",
      title: "Make a link",
      isDone: sql`EXISTS (SELECT 1 FROM owner_log WHERE action = 'make-link')`,
      text: "Make a link for a fair or a post to see how many people it brings.",
      action: { label: "Make a link", href: "/owner/links" },
    },
  ],
  outcomes: {
    "link-exists": "This link was in the list already.",
    "remove-link": "The link is no longer in the list. It goes on working.",
  },
  subject: { key: "linkId", name: "link", path: "/owner/links", names: nameLinks, endedBy: "remove-link" },
};
