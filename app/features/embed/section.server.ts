import styles from "#app/features/embed/embed.css?url";
import { addOrigin, deleteOrigin, showEmbed } from "#app/features/embed/sites-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const embedSection: OwnerSection = {
  section: "embed",
  styles,
  link: { href: "/owner/embed", name: "Forms on other sites", group: "Connect" },
  routes: [
    { method: "get", path: "/embed", handler: (c) => showEmbed(c) },
    { method: "post", path: "/embed", handler: addOrigin },
    { method: "post", path: "/embed/remove", handler: deleteOrigin },
  ],
  outcomes: {
    "allow-origin": "The site is allowed. Forms on it can add people from now on.",
    "remove-origin": "The site is removed. Forms on it can no longer add people.",
  },
};
