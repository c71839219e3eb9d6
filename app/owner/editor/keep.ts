import { clock, make } from "#app/owner/editor/elements.ts";
import { forget, type KeptText, keep, listKept, newKey } from "#app/owner/editor/kept-texts.ts";
import { isDifferent, type TypedForm } from "#app/owner/editor/typed-form.ts";

export interface Keeping {
  /** The server has the texts. */
  onSaved(): void;
}

/** Keeps what is typed in the browser until it is saved, and offers what was kept before. */
export function keepTyped(typed: TypedForm, owner: string): Keeping {
  const { form } = typed;
  const key = newKey();
  let hasFailed = false;
  offerKept(typed, owner);
  form.addEventListener("input", update);
  // What the server has refused is kept at once.
  if ("unsaved" in form.dataset) update();
  addEventListener("beforeunload", (event) => {
    if (typed.isLeaving || !typed.isChanged()) return;
    event.preventDefault();
    event.returnValue = true;
  });
  return { onSaved: update };

  function update(): void {
    if (!typed.isChanged()) {
      forget(key);
      return;
    }
    try {
      keep({ key, form: form.dataset["keep"] ?? "", owner, at: Date.now(), values: typed.values() });
    } catch {
      if (!hasFailed) typed.say("This browser cannot keep what you type, so save often.");
      hasFailed = true;
    }
  }
}

/** Forgets what the server has by now, and offers the rest. Nothing that was typed is replaced before a press. */
function offerKept(typed: TypedForm, owner: string): void {
  const { form } = typed;
  for (const kept of listKept(owner)) {
    const isHere = !isDifferent(kept.values, typed.values());
    if (!isDifferent(kept.values, typed.saved)) forget(kept.key);
    else if (kept.form === form.dataset["keep"] && !isHere) form.insertBefore(offer(typed, kept), form.firstChild);
  }
}

function offer(typed: TypedForm, { key, at, values }: KeptText): HTMLElement {
  const answer = (label: string, className: string, act: () => void) => {
    const button = make("button", { type: "button", className }, label);
    button.addEventListener("click", () => {
      act();
      forget(key);
      box.remove();
      typed.form.querySelector("textarea")?.focus();
    });
    return button;
  };
  const box = make(
    "div",
    { className: "message typed-offer", role: "status" },
    make("p", {}, `Text from ${clock(at)} was not saved.`),
    make("blockquote", {}, beginning(values)),
    make(
      "div",
      { className: "actions" },
      answer("Put it back", "button", () => typed.put(values)),
      answer("Discard", "button button-quiet", () => {}),
    ),
  );
  return box;
}

function beginning(values: Record<string, string>): string {
  const [longest = ""] = Object.values(values).sort((a, b) => b.length - a.length);
  return longest.length > 160 ? `${longest.slice(0, 160)}…` : longest;
}
