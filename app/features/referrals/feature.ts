import type { Feature } from "#app/feature.ts";

export const referrals: Feature = {
  name: "referrals",
  routes: [{ path: "/qr/:name", file: "features/referrals/qr-code.ts", isBare: true }],
  server: () => import("#app/features/referrals/feature.server.ts"),
};
