import type { Feature } from "#app/feature.ts";

export const legal: Feature = {
  name: "legal",
  routes: [
    { path: "/privacy", file: "features/legal/privacy.tsx" },
    { path: "/cookie-policy", file: "features/legal/cookie-policy.tsx" },
  ],
};
