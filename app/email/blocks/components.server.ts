import { html as taggedHtml } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { type Components, renderBlocks } from "#app/email/blocks/blocks.ts";
import { emailStyles, TEXT_WIDTH } from "#app/email/blocks/email-styles.server.ts";

type Value = HtmlEscapedString | HtmlEscapedString[] | string | number;

/** Escapes all values but those that it has returned. */
export const html = taggedHtml as (strings: TemplateStringsArray, ...values: Value[]) => HtmlEscapedString;

/** The start of a table without data. Outlook for Windows has padding in table cells only. */
function layoutTable(style = ""): HtmlEscapedString {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="${style}">`;
}

export const htmlComponents: Components<HtmlEscapedString> = {
  text: (text) => html`${text}`,
  "line-break": () => html`<br>`,
  strong: (parts) => html`<strong>${parts}</strong>`,
  emphasis: (parts) => html`<em>${parts}</em>`,
  link: (parts, { address }) => html`<a href="${address}" class="e-link" style="${emailStyles.link}">${parts}</a>`,
  heading: (parts, { level }) => html`<h${level} style="${emailStyles[`heading${level}`]}">${parts}</h${level}>`,
  paragraph: (parts, { isTight }) =>
    isTight ? html`${parts}` : html`<p style="${emailStyles.paragraph}">${parts}</p>`,
  button: (parts, { address }) =>
    html`${layoutTable(emailStyles.buttonTable)}<tr><td class="e-buttonCell" style="${emailStyles.buttonCell}"><a href="${address}" class="e-button" style="${emailStyles.button}">${parts}</a></td></tr></table>`,
  links: (parts) => html`<p style="${emailStyles.paragraph}">${inRow(parts)}</p>`,
  image(_, { source, alt, address, size }) {
    const width = Math.min(size?.width ?? TEXT_WIDTH, TEXT_WIDTH);
    const height =
      size === undefined ? "" : html` height="${Math.max(1, Math.round((size.height * width) / size.width))}"`;
    const image = html`<img src="${source}" alt="${alt}" width="${width}"${height} style="${emailStyles.image}">`;
    return html`<p style="margin:0 0 16px">${address === null ? image : html`<a href="${address}">${image}</a>`}</p>`;
  },
  list: (items, { start }) =>
    start === null
      ? html`<ul style="${emailStyles.list}">${items}</ul>`
      : html`<ol start="${start}" style="${emailStyles.list}">${items}</ol>`,
  item: (parts) => html`<li style="${emailStyles.item}">${parts}</li>`,
  quote: (parts) =>
    html`<blockquote style="${emailStyles.quote}">${layoutTable()}<tr><td class="e-quoteCell" style="${emailStyles.quoteCell}">${parts}</td></tr></table></blockquote>`,
  rule: () => html`<hr class="e-rule" style="${emailStyles.rule}">`,
};

export const smallPrintComponents: Components<HtmlEscapedString> = {
  ...htmlComponents,
  paragraph: (parts) => html`<p style="${emailStyles.small}">${parts}</p>`,
  links: (parts) => html`<p style="${emailStyles.small}">${inRow(parts)}</p>`,
};

function inRow(parts: HtmlEscapedString[]): HtmlEscapedString[] {
  return parts.map((part, index) => (index === 0 ? part : html` · ${part}`));
}

export const textComponents: Components<string> = {
  text: (text) => text.replaceAll("\n", " "),
  "line-break": () => "\n",
  strong: (parts) => parts.join(""),
  emphasis: (parts) => parts.join(""),
  link(parts, { address }) {
    const text = parts.join("");
    if (text === address || `mailto:${text}` === address) return text;
    return `${text} (${address.replace(/^mailto:/i, "")})`;
  },
  heading(parts, { level }) {
    const text = parts.join("");
    if (level === 3) return text;
    const width = Math.max(...text.split("\n").map((line) => line.length));
    return `${text}\n${(level === 1 ? "=" : "-").repeat(Math.min(width, 60))}`;
  },
  paragraph: (parts) => parts.join(""),
  button: labelled,
  links: (_, { children }) =>
    children.map((link) => labelled(renderBlocks(link.children, textComponents), link)).join("\n"),
  image: (_, { alt, address }) => (address === null ? `[${alt}]` : `[${alt}] ${address}`),
  list: (items, { start }) =>
    items.map((item, index) => prefixed(item, start === null ? "- " : `${start + index}. `)).join("\n"),
  item(parts, { children }) {
    // Lists stand close, as they were written; anything else after the first paragraph stands apart.
    const gaps = children.map(({ type }, index) => (index === 0 ? "" : type === "list" ? "\n" : "\n\n"));
    return parts.map((part, index) => gaps[index] + part).join("");
  },
  quote: (parts) => prefixed(parts.join("\n\n"), "> ", "> "),
  rule: () => "* * *",
};

function labelled(label: string[], { address }: { address: string }): string {
  return `${label.join("")}: ${address}`;
}

function prefixed(text: string, first: string, others = " ".repeat(first.length)): string {
  const [beginning, ...lines] = text.split("\n");
  return [first + beginning, ...lines.map((line) => others + line)].map((line) => line.trimEnd()).join("\n");
}
