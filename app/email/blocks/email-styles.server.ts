import { colour, type Role } from "#app/ui/theme.ts";

/** The width of the text in an email, and of the whole card (pixels). */
export const TEXT_WIDTH = 504;
export const CARD_WIDTH = 560;
export const STRIP_HEIGHT = 140;

const sans = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const serif = "Georgia, serif";

/** @param of the colour of a role, or of the second role in the dark scheme; it must end its declaration */
function sheet(of: (role: Role, darkRole?: Role) => string) {
  return {
    page: `margin:0;background-color:${of("paper")};color:${of("ink")}`,
    preview: "display:none;max-height:0;overflow:hidden",
    card: `max-width:${CARD_WIDTH}px;background-color:${of("emailPaper")};border:1px solid ${of("border")};border-radius:12px;overflow:hidden`,
    bar: `background-color:${of("bar")};border-bottom:6px solid ${of("secondary")};padding:20px 28px`,
    brand: `color:${of("barInk")};font:bold 22px ${serif};text-decoration:none`,
    footer: `border-top:1px solid ${of("border")};padding:16px 28px 24px`,
    heading1: `font:bold 26px/1.25 ${serif};margin:0 0 16px`,
    heading2: `font:bold 21px/1.3 ${serif};margin:0 0 16px`,
    heading3: `font:bold 18px/1.35 ${serif};margin:0 0 16px`,
    paragraph: `font:17px/1.6 ${sans};margin:0 0 16px`,
    small: `font:14px/1.5 ${sans};margin:0 0 16px`,
    link: `color:${of("primary", "link")}`,
    buttonTable: "margin:0 0 24px",
    // Outlook has padding in table cells only, and borders of at most 8px. The border makes the link as tall as a finger.
    buttonCell: `padding:2px 14px;border-radius:8px;background-color:${of("button")}`,
    button: `display:inline-block;border:8px solid ${of("button")};color:${of("buttonText")};font:bold 16px/28px ${sans};text-decoration:none`,
    // Outlook takes the width of the attribute; elsewhere, small images keep their size.
    image: `display:block;border:0;width:auto;max-width:100%;height:auto;font:17px/1.6 ${sans}`,
    logo: "border:0;vertical-align:middle",
    strip: "display:block;border:0;width:100%;height:auto",
    list: `font:17px/1.6 ${sans};margin:0 0 16px 26px;padding:0`,
    item: "margin:0 0 6px",
    quote: "margin:0 0 16px",
    quoteCell: `padding:14px 0 0 16px;border-left:3px solid ${of("secondary")}`,
    rule: `border:0;border-top:1px solid ${of("border")};margin:8px 0 24px`,
  };
}

export const emailStyles = sheet((role) => colour(role));

export const DARK = "(prefers-color-scheme:dark)";

const darkRules = Object.entries(sheet((role, darkRole = role) => `${colour(darkRole, "dark")}!important`)).map(
  ([name, style]) => {
    const colours = style.split(";").filter((declaration) => declaration.endsWith("!important"));
    return colours.length === 0 ? "" : `.e-${name}{${colours.join(";")}}`;
  },
);

/** For email clients with a dark scheme: `.e-page` for `emailStyles.page`. `!important` wins against the style attributes. */
export const darkStyles = `@media ${DARK}{${darkRules.join("")}}`;

/** An email's HTML in one scheme, not the reader's own. @public for letters, which can be removed */
export function forScheme(html: string, scheme: "light" | "dark"): string {
  return html.replaceAll(DARK, scheme === "dark" ? "all" : "not all");
}
