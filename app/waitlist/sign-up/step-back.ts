import { useSyncExternalStore } from "react";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

/*
 * Once someone has joined, the forms of the page with the ticket are collapsed, also when the visitor comes back to it. The
 * `<details>` stands before the form rather than around it, so that React keeps the same form element;
 * step-back.css does the hiding.
 */

/** The tickets of this visit by source, for when the visitor comes back to the page. Only browsers fill it. */
const tickets = new Map<string, TicketData>();
const listeners = new Set<() => void>();

export function ticketOf(source: string): TicketData | undefined {
  return tickets.get(source);
}

export function storeTicket(source: string, ticket: TicketData): void {
  tickets.set(source, ticket);
  for (const listener of listeners) listener();
}

/** Whether someone has joined in this visit, with any form. */
export function useHasJoined(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => tickets.size > 0,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Opens a collapsed form, or closes it again. Without effect before someone has joined: the element before the form is
 * another one then.
 */
export function openForm(form: HTMLFormElement, isOpen: boolean): void {
  (form.previousElementSibling as HTMLDetailsElement).open = isOpen;
}
