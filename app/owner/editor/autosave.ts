import { clock } from "#app/owner/editor/elements.ts";
import type { TypedForm } from "#app/owner/editor/typed-form.ts";
import type { Millis } from "#app/server/time/units.ts";

const DELAY: Millis = 3_000;
const RETRY_DELAY: Millis = 30_000;
const TIMEOUT: Millis = 15_000;

interface Listeners {
  onSaved(): void;
  onSessionEnded(): void;
}

export interface Autosave {
  /** Saves now what has changed. */
  save(): void;
  /** Resolves once no request is under way. Starts none until the next input. */
  settle(): Promise<void>;
}

/** Saves a draft by itself: when typing stops, and when its tab is left. One request at a time. */
export function saveByItself(typed: TypedForm, { onSaved, onSessionEnded }: Listeners): Autosave {
  const { form, say } = typed;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: Promise<void> | null = null;
  let isStopped = false;
  form.addEventListener("input", (event) => {
    // The choices of the preview are not saved.
    if (event.target instanceof Element && event.target.closest("[data-preview]") === null) wait(DELAY);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  return {
    save,
    async settle() {
      clearTimeout(timer);
      await request;
      clearTimeout(timer);
    },
  };

  function wait(delay: Millis): void {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  }

  function save(): void {
    clearTimeout(timer);
    if (isStopped || typed.isLeaving || !typed.isChanged()) return;
    if (request !== null) {
      wait(DELAY);
      return;
    }
    request = send().finally(() => {
      request = null;
    });
  }

  async function send(): Promise<void> {
    const values = typed.values();
    const response = await post(form).catch(() => null);
    const saved = response?.ok ? await readSaved(response) : null;
    if (saved !== null) {
      typed.saved = values;
      adopt(form, saved);
      onSaved();
      say(`Saved ${clock(Date.now())}`);
      if (typed.isChanged()) wait(DELAY);
    } else if (response === null) {
      say("Not saved: no connection. It is kept in this browser.");
      wait(RETRY_DELAY);
    } else if (response.status === 409) {
      isStopped = true;
      say("This letter was changed in the meantime. Press Save to see both texts.");
    } else if (response.status === 403) {
      onSessionEnded();
    } else {
      say("Not saved. It is kept in this browser. Press Save to see why.");
      // A server error may pass.
      if (response.status >= 500) wait(RETRY_DELAY);
      else isStopped = true;
    }
  }
}

/** As the form would be posted, so that the server reads both alike. A redirect would be for a page. */
function post(form: HTMLFormElement): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.append("intent", "save");
  body.append("autosave", "yes");
  const headers = { Accept: "application/json" };
  return fetch(form.action, {
    method: "POST",
    body,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT),
  });
}

interface Saved {
  /** The path of the saved letter's form. */
  action: string;
  version: string;
}

async function readSaved(response: Response): Promise<Saved | null> {
  const { action, version } = (await response.json().catch(() => ({}))) as Partial<Saved>;
  return typeof action === "string" && action.startsWith("/owner/") ? { action, version: String(version) } : null;
}

/** Makes the form that of the saved letter. */
function adopt(form: HTMLFormElement, { action, version }: Saved): void {
  form.action = action;
  form.dataset["keep"] = action;
  const field = form.elements.namedItem("version");
  if (field instanceof HTMLInputElement) field.value = version;
  if (location.pathname === "/owner/letters/new") history.replaceState(null, "", action);
}
