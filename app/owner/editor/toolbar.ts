import { ask } from "#app/owner/editor/ask.ts";
import { make, putBefore } from "#app/owner/editor/elements.ts";
import { insertBlock, replace, selected, toggleList, toggleMark, turnHeading } from "#app/owner/editor/insert.ts";

type Tool = "bold" | "italic" | "heading" | "list" | "link" | "button" | "picture" | "greeting";

interface Greeting {
  key: string;
  label: string;
}

interface ToolbarOptions {
  /** The names of the tools, with spaces between; `counted` offers to count the visits of links. */
  tools: string;
  greetings: Greeting[];
  choosePicture: () => void;
  /** Says what a press did if the text alone does not show it. */
  say: (text: string) => void;
}

const names: Record<Tool, string> = {
  bold: "Bold",
  italic: "Italics",
  heading: "Heading",
  list: "List",
  link: "Link",
  button: "Button",
  picture: "Picture",
  greeting: "Greeting",
};

/** Lines on a square of 20 by 20. */
const icons: Record<Tool, string> = {
  bold: "M6 3.5h4.8a3.2 3.2 0 0 1 0 6.5H6zM6 10h5.6a3.3 3.3 0 0 1 0 6.5H6z",
  italic: "M8.5 3.5h6M5.5 16.5h6M11.7 3.5l-3.4 13",
  heading: "M4.5 3.5v13M15.5 3.5v13M4.5 10h11",
  list: "M8 5h9M8 10h9M8 15h9M3.5 5h.6M3.5 10h.6M3.5 15h.6",
  link: "M8.5 11.5a3.4 3.4 0 0 0 4.9 0l2.4-2.4a3.4 3.4 0 0 0-4.9-4.9l-.9.9M11.5 8.5a3.4 3.4 0 0 0-4.9 0l-2.4 2.4a3.4 3.4 0 0 0 4.9 4.9l.9-.9",
  button:
    "M4.5 5.5h11a2.5 2.5 0 0 1 2.5 2.5v4a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 2 12V8a2.5 2.5 0 0 1 2.5-2.5zM6.5 10h7",
  picture: "M3 4h14v12H3zM3 13.5l4-4 3.5 3.5 2.5-2.5 4 4M13 7.5h.6",
  greeting: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5",
};

const keys: Record<string, Tool> = { b: "bold", i: "italic", k: "link" };

/** Puts buttons that write Markdown above a text area. Arrow keys go through them, and Tab past them. */
export function addToolbar(area: HTMLTextAreaElement, options: ToolbarOptions): void {
  const tools = (Object.keys(names) as Tool[]).filter((tool) => options.tools.split(" ").includes(tool));
  const offered = tools.filter((tool) => tool !== "greeting" || options.greetings.length > 0);
  const use = (tool: Tool) => act(tool, area, options);
  const buttons = offered.map((tool, index) => {
    const key = Object.keys(keys).find((of) => keys[of] === tool);
    const button = make("button", { type: "button", className: "tool", tabIndex: index === 0 ? 0 : -1 }, icon(tool));
    button.appendChild(make("span", {}, names[tool]));
    if (key !== undefined) {
      button.title = `${names[tool]} (Ctrl+${key.toUpperCase()})`;
      button.setAttribute("aria-keyshortcuts", `Control+${key.toUpperCase()}`);
    }
    button.addEventListener("click", () => use(tool));
    return button;
  });
  const bar = make("div", { className: "toolbar", role: "toolbar", "aria-label": "Formatting" }, ...buttons);
  bar.setAttribute("aria-controls", area.id);
  bar.addEventListener("keydown", (event) => move(event, buttons));
  putBefore(bar, area);
  area.addEventListener("keydown", (event) => {
    const tool =
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey ? keys[event.key.toLowerCase()] : undefined;
    if (tool === undefined || !offered.includes(tool)) return;
    event.preventDefault();
    use(tool);
  });
}

function icon(tool: Tool): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", icons[tool]);
  svg.appendChild(path);
  return svg;
}

function move(event: KeyboardEvent, buttons: HTMLButtonElement[]): void {
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const to = (next + buttons.length) % buttons.length;
  for (const [index, button] of buttons.entries()) button.tabIndex = index === to ? 0 : -1;
  buttons[to]?.focus();
}

function act(tool: Tool, area: HTMLTextAreaElement, options: ToolbarOptions): void {
  const { tools, greetings, choosePicture, say } = options;
  if (tool === "bold") toggleMark(area, "**", "bold");
  else if (tool === "italic") toggleMark(area, "*", "italics");
  else if (tool === "heading") say(headings[turnHeading(area)] ?? "");
  else if (tool === "list") toggleList(area);
  else if (tool === "picture") choosePicture();
  else if (tool === "greeting") askForGreeting(area, greetings);
  else askForLink(tool, area, tools.includes("counted"));
}

/** By their levels. */
const headings = ["No heading", "Large heading", "Medium heading", "Small heading"];

const ADDRESS = "(https://|mailto:)\\S+|\\{\\{(site|counted|unsubscribe)\\}\\}\\S*";

/** Filled in by the server: the address of the site; with the letter's label, by which visits are counted, in the other. */
const SITE = "{{site}}";
const COUNTED = "{{counted}}";

function askForLink(tool: "link" | "button", area: HTMLTextAreaElement, canCount: boolean): void {
  const { selectionStart: start, selectionEnd: end } = area;
  const text = selected(area).trim();
  const isAddress = /^https:\/\/\S+$/.test(text);
  const fields = [
    { name: "text", label: tool === "link" ? "Text of the link" : "Text on the button", value: isAddress ? "" : text },
    {
      name: "address",
      label: "Address",
      value: isAddress ? text : "",
      pattern: ADDRESS,
      hint: "It begins with https://, or is an email address.",
      mend: toAddress,
    },
    ...(canCount ? [countedField] : []),
  ];
  ask(names[tool], fields, "Insert", ({ text = "", address = "", counted = "" }) => {
    const clean = text.replace(/[[\]]/g, "\\$&");
    const target = counted === "" ? address : address.replace(SITE, COUNTED);
    const link = `[${clean}](${target.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))})`;
    area.setSelectionRange(start, end);
    if (tool === "button") insertBlock(area, `**${link}**`);
    else replace(area, [start, end], link);
  });
}

const countedField = {
  name: "counted",
  label: "Count the visits that it brings",
  hint: "Only links to your own site can be counted. The letter’s results show them.",
  options: [
    ["", "No"],
    ["yes", "Yes"],
  ] as [string, string][],
};

function toAddress(typed: string): string {
  const address = typed.trim();
  const { origin } = location;
  if (address.startsWith(origin) && /^([/?#]|$)/.test(address.slice(origin.length)))
    return SITE + address.slice(origin.length);
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(address)) return `mailto:${address}`;
  return /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(address) ? `https://${address}` : address;
}

function askForGreeting(area: HTMLTextAreaElement, greetings: Greeting[]): void {
  const { selectionStart: start, selectionEnd: end } = area;
  const fields = [
    {
      name: "key",
      label: "The reader’s answer to",
      options: greetings.map(({ key, label }): [string, string] => [key, label]),
    },
    {
      name: "words",
      label: "For people without an answer",
      value: "there",
      pattern: "[^{}|]+",
      hint: "Such as “there”.",
    },
  ];
  ask("Greeting", fields, "Insert", ({ key = "", words = "" }) => replace(area, [start, end], `{{${key}|${words}}}`));
}
