/** What says, in the document, that the application has taken over. */
export const HYDRATED_EVENT = "hydrated";

/** Types under which the application's scripts are sent: browsers leave alone what they do not know. */
export const DEFERRED_SCRIPT = "text/late";
export const DEFERRED_MODULE = "text/late-module";

/** What marks a form that waits for the application, since the browser would load another page to answer it. */
export const DEFERRED_FORM = "data-late";

/**
 * Starts the application on the visitor's first sign of intent, or when the browser is idle after load. It runs in the
 * document itself, before everything else of ours, so that it may use nothing that stands outside of it.
 *
 * What the visitor does in between is the browser's: links lead, forms are sent once, what is typed stays. A button that
 * only a script gives its meaning is pressed again once the application is there, and so is that of a form that waits
 * for it, which is the browser's after all if the application has not come by then or the page is left.
 */
export function starter(lateScript: string, lateModule: string, hydrated: string, lateForm: string): void {
  const intents = ["pointerover", "pointerdown", "touchstart", "keydown", "focusin"];
  const passive = { capture: true, passive: true };
  /** Milliseconds that a form waits, and that the same form is not sent again. */
  const patience = 4_000;
  const allButtons = () => [...document.querySelectorAll("button")];
  let isThere = false;
  /** Places among the page's buttons, which the application may make anew: of the one pressed, and of a waiting form's. */
  let pressed = -1;
  let held = -1;
  let sent: EventTarget | null = null;

  function start() {
    for (const intent of intents) removeEventListener(intent, start, passive);
    const late = document.querySelectorAll<HTMLScriptElement>(`[type="${lateScript}"],[type="${lateModule}"]`);
    for (const script of late) {
      script.type = script.type === lateModule ? "module" : "";
      // A script runs when it comes into a document; its text is still the one that the server wrote.
      script.parentNode?.insertBefore(script, script.nextSibling);
    }
  }

  function stop(event: Event) {
    event.preventDefault();
    // The application may be there already, and would see this and what is done again.
    event.stopPropagation();
  }

  function click(event: Event) {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[type=button]:not([popovertarget])");
    if (isThere || button === null) return;
    stop(event);
    pressed = allButtons().indexOf(button);
  }

  function submit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    if (sent === form) stop(event);
    else if (isThere) return;
    else if (form.hasAttribute(lateForm) && event.submitter !== null) {
      stop(event);
      held = allButtons().indexOf(event.submitter as HTMLButtonElement);
      setTimeout(letGo, patience);
    } else {
      sent = form;
      const forget = () => {
        sent = null;
      };
      setTimeout(forget, patience);
      // The application may have taken it.
      setTimeout(() => event.defaultPrevented && forget());
    }
  }

  function letGo() {
    const button = allButtons()[held];
    held = -1;
    removeEventListener("submit", submit, true);
    button?.click();
    addEventListener("submit", submit, true);
  }

  addEventListener("click", click, true);
  addEventListener("submit", submit, true);
  addEventListener("pagehide", () => {
    const { form, name, value } = allButtons()[held] ?? {};
    if (!form || !name || value === undefined) return;
    const data = new URLSearchParams(new FormData(form) as never);
    data.append(name, value);
    navigator.sendBeacon(form.action, data);
  });
  document.addEventListener(
    hydrated,
    () => {
      isThere = true;
      allButtons()[pressed]?.click();
      letGo();
    },
    { once: true },
  );
  for (const intent of intents) addEventListener(intent, start, passive);
  addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(start));
}
