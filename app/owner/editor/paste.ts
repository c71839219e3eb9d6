import { htmlToMarkdown } from "#app/owner/editor/html-to-markdown.ts";
import { replace } from "#app/owner/editor/insert.ts";

/** Characters. Larger HTML is pasted as its text. */
const MOST_HTML = 2_000_000;

/** Pastes formatted text as Markdown. Plain text, and files, are left to others. */
export function pasteAsMarkdown(area: HTMLTextAreaElement): void {
  area.addEventListener("paste", (event) => {
    const data = event.clipboardData;
    if (event.defaultPrevented || data === null) return;
    const html = data.getData("text/html");
    // A copied picture comes as a file with its element.
    const isPicture = data.files.length > 0 && data.getData("text/plain") === "";
    if (html === "" || html.length > MOST_HTML || isPicture) return;
    const markdown = htmlToMarkdown(html);
    if (markdown === "" || isAsPlain(html, data.getData("text/plain"))) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = area;
    // Blocks begin on a line of their own.
    const isBlock = markdown.includes("\n") || /^(#|- |\d+\. |> )/.test(markdown);
    const isMidLine = selectionStart > 0 && value[selectionStart - 1] !== "\n";
    replace(area, [selectionStart, selectionEnd], (isBlock && isMidLine ? "\n\n" : "") + markdown);
  });
}

/** Editors of code copy coloured plain text, with a line for each of its lines. Markdown that was copied there stays. */
function isAsPlain(html: string, plain: string): boolean {
  return (
    plain !== "" &&
    /white-space:\s*pre(?!-wrap)|monospace/i.test(html) &&
    !/<(a|li|h[1-3]|b|strong|i|em)[\s>]/i.test(html)
  );
}
