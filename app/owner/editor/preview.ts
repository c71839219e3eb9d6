import { make, putBefore } from "#app/owner/editor/elements.ts";
import type { Millis } from "#app/server/time/units.ts";

const DELAY: Millis = 600;

/** Where the preview stands beside the text. */
const BESIDE = "(min-width: 992px)";

/** Shows the email as it is typed, in the frame that `data-preview` holds. Without it, a button shows it. */
export function previewWhileTyping(form: HTMLFormElement): void {
  const box = form.querySelector<HTMLDetailsElement>("details[data-preview]");
  const button = box?.querySelector<HTMLButtonElement>("button[formtarget]");
  const first = box?.querySelector("iframe");
  if (!box || !button || !first) return;
  let shown: HTMLIFrameElement = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isStale = false;
  let isShown = false;
  const wide = matchMedia(BESIDE);
  box.open ||= wide.matches;
  button.hidden = true;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, DELAY);
  });
  box.addEventListener("toggle", () => {
    if (box.open && !isShown) update();
  });
  if (box.open) update();

  /**
   * In a new frame, which replaces the old one when it has loaded: its first page makes no entry in the history, so that Back
   * leads out of the letter, and the old one is seen until then.
   */
  function update(): void {
    isStale = isLoading;
    if (!box?.open || isLoading) return;
    isLoading = true;
    isShown = true;
    const next = shown.cloneNode() as HTMLIFrameElement;
    const name = `preview-${Date.now()}`;
    Object.assign(next, { name, hidden: false });
    next.classList.add("preview-loading");
    putBefore(next, shown);
    const target = make("form", { method: "post", action: button?.formAction ?? "", target: name, hidden: true });
    for (const [field, value] of new FormData(form)) {
      if (typeof value === "string") target.appendChild(make("input", { type: "hidden", name: field, value }));
    }
    const done = () => {
      clearTimeout(limit);
      // Browsers' own error pages cannot be read.
      const before = shown.contentDocument?.defaultView;
      if (before) next.contentDocument?.defaultView?.scrollTo(before.scrollX, before.scrollY);
      next.classList.remove("preview-loading");
      shown.remove();
      shown = next;
      isLoading = false;
      if (isStale) update();
    };
    const limit = setTimeout(done, 15_000);
    next.addEventListener("load", () => {
      if (isLoading && next !== shown && hasLoaded(next)) done();
    });
    document.body.appendChild(target);
    target.submit();
    target.remove();
  }
}

/** Not the empty document that a frame begins with. An error page cannot be read. */
function hasLoaded({ contentDocument }: HTMLIFrameElement): boolean {
  return contentDocument?.URL !== "about:blank";
}
