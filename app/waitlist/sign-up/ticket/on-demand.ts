import { lazy } from "react";

/* Browsers download these when they are needed. What fails to load is left out. */

export const LazyTicket = import.meta.env.SSR
  ? (await import("#app/waitlist/sign-up/ticket/ticket.tsx")).Ticket
  : lazy(() =>
      import("#app/waitlist/sign-up/ticket/ticket.tsx").then((loaded) => ({ default: loaded.Ticket }), nothing),
    );

export const LazySuggestion = import.meta.env.SSR
  ? (await import("#app/waitlist/sign-up/suggestion.tsx")).Suggestion
  : lazy(() =>
      import("#app/waitlist/sign-up/suggestion.tsx").then((loaded) => ({ default: loaded.Suggestion }), nothing),
    );

function nothing() {
  return { default: () => null };
}
