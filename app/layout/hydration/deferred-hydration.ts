/** Dispatched on the document when hydration has finished. */
export const HYDRATED_EVENT = "hydrated";

/** Script types of deferred scripts: browsers do not run types they do not know. */
export const DEFERRED_SCRIPT = "text/deferred";
export const DEFERRED_MODULE = "text/deferred-module";

/** Attribute of a form whose submission waits for hydration, because sending it natively would leave the page. */
export const DEFERRED_FORM = "data-deferred";

/**
 * Runs the deferred scripts on the visitor's first interaction, or when the browser is idle after load. The function is
 * inlined into the document as text, so it must not use anything outside its scope.
 *
 * Until hydration the browser handles links and forms natively, and each form is sent once. Clicks on script-only
 * buttons and submissions of deferred forms are replayed after hydration; a deferred form is sent natively when its
 * wait times out, or as a beacon when the visitor leaves the page.
 */
export function deferHydration(
  scriptType: string,
  moduleType: string,
  hydratedEvent: string,
  formAttribute: string,
): void {
  const intents = ["pointerover", "pointerdown", "touchstart", "keydown", "focusin"];
  const passive = { capture: true, passive: true };
  /** Milliseconds that a deferred form waits, and during which a sent form is not sent again. */
  const timeout = 4_000;
  const allButtons = () => [...document.querySelectorAll("button")];
  let isHydrated = false;
  /** Indexes of the buttons to replay: hydration may recreate the elements. */
  let clickedIndex = -1;
  let submitterIndex = -1;
  let sentForm: EventTarget | null = null;

  function start() {
    for (const intent of intents) removeEventListener(intent, start, passive);
    const scripts = document.querySelectorAll<HTMLScriptElement>(`[type="${scriptType}"],[type="${moduleType}"]`);
    for (const script of scripts) {
      script.type = script.type === moduleType ? "module" : "";
      // A script runs when it is inserted; Trusted Types allow it because its text is unchanged.
      script.parentNode?.insertBefore(script, script.nextSibling);
    }
  }

  function stop(event: Event) {
    event.preventDefault();
    // React may be hydrated already and would handle both this event and its replay.
    event.stopPropagation();
  }

  function click(event: Event) {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[type=button]:not([popovertarget])");
    if (isHydrated || button === null) return;
    stop(event);
    clickedIndex = allButtons().indexOf(button);
  }

  function submit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    if (sentForm === form) stop(event);
    else if (isHydrated) return;
    else if (form.hasAttribute(formAttribute) && event.submitter !== null) {
      stop(event);
      submitterIndex = allButtons().indexOf(event.submitter as HTMLButtonElement);
      setTimeout(submitDeferred, timeout);
    } else {
      sentForm = form;
      const reset = () => {
        sentForm = null;
      };
      setTimeout(reset, timeout);
      // React may have handled it.
      setTimeout(() => event.defaultPrevented && reset());
    }
  }

  function submitDeferred() {
    const button = allButtons()[submitterIndex];
    submitterIndex = -1;
    removeEventListener("submit", submit, true);
    button?.click();
    addEventListener("submit", submit, true);
  }

  addEventListener("click", click, true);
  addEventListener("submit", submit, true);
  addEventListener("pagehide", () => {
    const { form, name, value } = allButtons()[submitterIndex] ?? {};
    if (!form || !name || value === undefined) return;
    const data = new URLSearchParams(new FormData(form) as never);
    data.append(name, value);
    navigator.sendBeacon(form.action, data);
  });
  document.addEventListener(
    hydratedEvent,
    () => {
      isHydrated = true;
      allButtons()[clickedIndex]?.click();
      submitDeferred();
    },
    { once: true },
  );
  for (const intent of intents) addEventListener(intent, start, passive);
  addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(start));
}
