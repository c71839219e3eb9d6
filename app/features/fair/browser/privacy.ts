import { element } from "#app/features/fair/browser/elements.ts";
import { isEmpty } from "#app/features/fair/browser/entry.ts";

/** How long the privacy notice may stay open over an empty form (milliseconds): the next person wants the form. */
const OPEN_FOR = 60_000;

let closeTimer: ReturnType<typeof setTimeout> | undefined;

export function startPrivacy(): void {
  const dialog = element<HTMLDialogElement>("privacy");
  element("open-privacy").addEventListener("click", () => {
    dialog.showModal();
    clearTimeout(closeTimer);
    closeTimer = setTimeout(() => {
      if (isEmpty()) dialog.close();
    }, OPEN_FOR);
  });
}
