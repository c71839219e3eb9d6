import { make } from "#app/owner/editor/elements.ts";

interface Asked {
  name: string;
  label: string;
  value?: string;
  /** A regular expression for the whole value, with a sentence on what it asks for. */
  pattern?: string;
  hint?: string;
  /** Values by their texts: a choice instead of a text. */
  options?: [value: string, text: string][];
  /** Mends the value before it is checked. */
  mend?: (value: string) => string;
}

/** Asks in a dialog. `then` gets the answers by their names, after the dialog has closed; nothing happens otherwise. */
export function ask(
  title: string,
  fields: Asked[],
  submit: string,
  then: (answers: Record<string, string>) => void,
): void {
  const inputs = fields.map(({ name, label, value = "", pattern, hint, options, mend }) => {
    const id = `ask-${name}`;
    const input =
      options === undefined
        ? make("input", { id, name, type: "text", className: "field", value, required: true, autocomplete: "off" })
        : make(
            "select",
            { id, name, className: "field" },
            ...options.map(([of, text]) => make("option", { value: of }, text)),
          );
    if (pattern !== undefined && input instanceof HTMLInputElement)
      Object.assign(input, { pattern, title: hint ?? "" });
    if (mend !== undefined) {
      input.addEventListener("change", () => {
        input.value = mend(input.value);
      });
    }
    const notes = hint === undefined ? [] : [make("p", { className: "hint", id: `${id}-hint` }, hint)];
    if (hint !== undefined) input.setAttribute("aria-describedby", `${id}-hint`);
    return make("div", { className: "form-field" }, make("label", { htmlFor: id }, label), ...notes, input);
  });
  const cancel = make("button", { type: "button", className: "button button-quiet" }, "Cancel");
  const form = make(
    "form",
    { method: "dialog", className: "form" },
    make("h2", { id: "ask-title" }, title),
    ...inputs,
    make("div", { className: "actions" }, make("button", { className: "button", type: "submit" }, submit), cancel),
  );
  const dialog = make("dialog", { className: "ask", "aria-labelledby": "ask-title" }, form);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    // Closed here, so that what is typed next is typed into the text.
    event.preventDefault();
    const answers = Array.from(new FormData(form), ([name, value]) => [name, String(value).trim()]);
    dialog.close();
    then(Object.fromEntries(answers));
  });
  document.body.appendChild(dialog);
  dialog.showModal();
}
