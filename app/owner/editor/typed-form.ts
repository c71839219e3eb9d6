import { make } from "#app/owner/editor/elements.ts";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A form whose texts are looked after. */
export interface TypedForm {
  form: HTMLFormElement;
  /** The present texts, by the names of their fields. */
  values(): Record<string, string>;
  /** Those that the server has, or null while it has none of this page. */
  saved: Record<string, string>;
  isChanged(): boolean;
  put(values: Record<string, string>): void;
  /** Whether a submission is on its way. */
  isLeaving: boolean;
  /** A line below the buttons, read out when it changes. */
  say(text: string): void;
  /** A line at the screen's edge that stays until it is null. */
  warn(content: (Node | string)[] | null): void;
}

/** `data-unsaved` on the form: what it shows is not stored. */
export function readTypedForm(form: HTMLFormElement): TypedForm {
  const fields = Array.from(form.elements).filter(isText);
  const of = (read: (field: TextField) => string) =>
    Object.fromEntries(fields.map((field) => [field.name, read(field)]));
  const line = make("output", { className: "hint typed-line" });
  const warning = make("div", { className: "message message-error typed-warning", role: "alert", hidden: true });
  const actions = form.querySelector(".actions");
  actions?.parentNode?.insertBefore(line, actions.nextSibling);
  form.appendChild(warning);
  const typed: TypedForm = {
    form,
    values: () => of(({ value }) => value),
    saved: "unsaved" in form.dataset ? {} : of(({ defaultValue }) => defaultValue),
    isChanged: () => isDifferent(typed.values(), typed.saved),
    put(values) {
      for (const field of fields) {
        const value = values[field.name];
        if (value === undefined || value === field.value) continue;
        field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    },
    isLeaving: false,
    say(text) {
      line.textContent = text;
    },
    warn(content) {
      warning.hidden = content === null;
      warning.replaceChildren(...(content ?? []));
    },
  };
  return typed;
}

/** Addresses are left out: nothing about people stays in the browser. */
function isText(control: Element): control is TextField {
  if (control instanceof HTMLTextAreaElement) return true;
  return control instanceof HTMLInputElement && control.type === "text" && control.inputMode !== "email";
}

/** Apart from spaces at the ends, which the server does not store. */
export function isDifferent(values: Record<string, string>, others: Record<string, string>): boolean {
  return Object.entries(values).some(([name, value]) => others[name]?.trim() !== value.trim());
}
