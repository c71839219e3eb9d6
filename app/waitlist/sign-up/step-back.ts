import { useSyncExternalStore } from "react";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

/*
 * Once someone has joined, the forms of the page with the ticket step back behind a `<details>`, also when the visitor comes
 * back to it. It stands before the form rather than around it, so that the form is the same element before and after;
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

/** Opens a form that has stepped back, or closes it again. Before that, the element is another one, to which it means nothing. */
export function openForm(form: HTMLFormElement, isOpen: boolean): void {
  (form.previousElementSibling as HTMLDetailsElement).open = isOpen;
}
