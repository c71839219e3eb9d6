import type { TypedForm } from "#app/owner/editor/typed-form.ts";
import type { Millis } from "#app/server/time/units.ts";

/** How long a second press does nothing. */
const PAUSE: Millis = 2_000;

/**
 * Lets a form be sent once for a double click, and after what is saved by itself: at the same moment, one of the two would
 * be refused as out of date.
 *
 * @param settle resolves when nothing is being saved
 */
export function guardSubmission(typed: TypedForm, settle: () => Promise<void>): void {
  const { form } = typed;
  let sentAt = 0;
  let isSettled = false;
  form.addEventListener("submit", (event) => {
    const submitter = event.submitter as HTMLButtonElement | null;
    // The preview is another form's business.
    if (submitter?.formTarget) return;
    if (isSettled) {
      isSettled = false;
      return;
    }
    event.preventDefault();
    if (Date.now() - sentAt < PAUSE) return;
    sentAt = Date.now();
    typed.isLeaving = true;
    showSent(form, true);
    setTimeout(showSent, PAUSE, form, false);
    const send = () => {
      isSettled = true;
      form.requestSubmit(submitter);
    };
    // Afterwards: within this event, browsers ignore it.
    void settle().then(() => setTimeout(send));
  });
  const stay = () => {
    typed.isLeaving = false;
  };
  addEventListener("pageshow", stay);
  // The response has not come, or was no page.
  form.addEventListener("input", stay);
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[value=delete]"))
    button.form?.addEventListener("submit", () => {
      typed.isLeaving = true;
    });
}

/** By an attribute: a button that is disabled loses the focus, and its value is not sent. */
function showSent(form: HTMLFormElement, isSent: boolean): void {
  for (const button of form.querySelectorAll("button[type=submit]")) {
    if (isSent) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}
