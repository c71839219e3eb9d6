import { changeDevice, fairInNeed, showDevice } from "#app/features/fair/owner/device-page.server.tsx";
import styles from "#app/features/fair/owner/fair.css?url";
import { addDevice, showFair } from "#app/features/fair/owner/fair-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const fairSection: OwnerSection = {
  section: "fair",
  styles,
  link: { href: "/owner/fair", name: "At the fair", group: "Connect" },
  routes: [
    { method: "get", path: "/fair", handler: (c) => showFair(c) },
    { method: "post", path: "/fair", handler: addDevice },
    { method: "get", path: "/fair/:id", handler: showDevice },
    { method: "post", path: "/fair/:id", handler: changeDevice },
  ],
  outcomes: {
    "revoke-fair-device": "The tablet is revoked. It can no longer add anyone.",
    "close-fair-device": "The tablet is closed. Its key is destroyed.",
    "accept-fair-sign-ups": "The sign-ups are accepted. They will be added to the list shortly.",
    "discard-fair-sign-ups": "The sign-ups are discarded.",
  },
  subject: { key: "deviceId", name: "tablet", path: "/owner/fair" },
  attention: fairInNeed,
};
