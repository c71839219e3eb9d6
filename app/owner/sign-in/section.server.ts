import { serveEditor } from "#app/owner/editor/writing-form.server.tsx";
import {
  leaveEnded,
  renewSession,
  requestSignInLink,
  showLink,
  signIn,
  signOut,
  signOutEverywhere,
} from "#app/owner/sign-in/sign-in-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const signInSection: OwnerSection = {
  section: "sign-in",
  routes: [
    { method: "post", path: "/sign-in", handler: requestSignInLink, guard: "none" },
    { method: "get", path: "/sign-in/:token", handler: showLink, guard: "none" },
    { method: "post", path: "/sign-in/:token", handler: signIn, guard: "none" },
    { method: "post", path: "/sign-out", handler: leaveEnded(signOut), guard: "none" },
    { method: "post", path: "/sign-out-everywhere", handler: leaveEnded(signOutEverywhere), guard: "none" },
    { method: "post", path: "/session", handler: renewSession },
    { method: "get", path: "/editor.js", handler: serveEditor },
  ],
};
