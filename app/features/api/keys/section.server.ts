import styles from "#app/features/api/keys/api-keys.css?url";
import { addKey, changeKey, showKeys } from "#app/features/api/keys/keys-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const apiKeysSection: OwnerSection = {
  section: "api-keys",
  styles,
  link: { href: "/owner/api-keys", name: "API", group: "Connect" },
  routes: [
    { method: "get", path: "/api-keys", handler: (c) => showKeys(c) },
    { method: "post", path: "/api-keys", handler: addKey },
    { method: "post", path: "/api-keys/:id", handler: changeKey },
  ],
  outcomes: { "key-revoked": "The key is revoked. Requests with it are refused from now on." },
};
