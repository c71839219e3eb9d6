// Generates the icons, the share pictures, the manifest and the pictures of the two sides and the sample posts in public/,
// from app/site.ts, app/ui/theme.ts and the site's SVG. Only if the colours have enough contrast.
import "#scripts/check-contrast.ts";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { type InlineConfig, preprocessCSS, resolveConfig, runnerImport } from "vite";
import { CARD_WIDTH, STRIP_HEIGHT } from "#app/email/blocks/email-styles.server.ts";
import { site } from "#app/site.ts";
import { colour, type Role } from "#app/ui/theme.ts";
import { INVITATION } from "#app/waitlist/entries/personal-link.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import type * as Illustrations from "#scripts/lib/illustrations.tsx";
import { schemes } from "#scripts/lib/site-paths.ts";
import { paletteCss } from "#vite/palette-plugin.ts";

/** Per cent. Lower values cause banding in the dark scheme's sky. */
const WEBP_QUALITY = 90;

/** As wide as the whole scene. */
const EMAIL_MARKET_WIDTH = 1_400;

const maskable = { type: "image/png", purpose: "maskable" };
const webManifest = {
  name: site.name,
  short_name: site.name,
  description: site.tagline,
  lang: "en-GB",
  start_url: "/",
  display: "browser",
  background_color: colour("paper"),
  theme_color: colour("bar"),
  icons: [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
    { src: "/icon-192.png", sizes: "192x192", ...maskable },
    { src: "/icon-512.png", sizes: "512x512", ...maskable },
  ],
};

const criticalCss = join(root, "app", "layout", "styles", "critical.css");
const drawingStyles = `@import "../../ui/illustrations/illustrations.css";@import "../../ui/illustrations/below-first-view.css";`;

const vite: InlineConfig = { configFile: false, root, css: { postcss: { plugins: [paletteCss] } } };
/** Imported by Vite, because Node cannot read JSX. */
const { module } = await runnerImport<typeof Illustrations>(join(root, "scripts/lib/illustrations.tsx"), vite);
const { logo, sharedParts, market, bunting, sides, scenes, icons, postPlaceholders } = module;
const css = await stylesheet();
const drawingCss = (await compile(drawingStyles)).replace(/\/\*.*?\*\/|\s*\n\s*/gs, "");

await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
await save("site.webmanifest", `${JSON.stringify(webManifest, null, 2)}\n`);
await save("favicon.svg", standaloneLogo());
await save("favicon.ico", wrapInIco(await screenshot(tile(2), 32)));
await save("apple-touch-icon.png", await screenshot(tile(24), 180));
await save("icon-192.png", await screenshot(tile(36), 192));
await save("icon-512.png", await screenshot(tile(96), 512));
await save("og.png", await screenshot(shareImage(), 1200, 630));
await save("og-friend.png", await screenshot(ticketImage(), 1200, 630));
await mkdir(join(root, "public", "email"), { recursive: true });
await save("email/logo.png", await emailLogo());
for (const scheme of ["light", "dark"] as const) await save(`email/market-${scheme}.png`, await emailMarket(scheme));
await mkdir(join(root, "public", "sides"), { recursive: true });
/** What stands in the style elements of files in public/. */
const drawnStyles = new Set<string>();
for (const [name, scene] of sides) {
  await save(`sides/${name}-light.svg`, standaloneScene(scene, "light"));
  await save(`sides/${name}-dark.svg`, standaloneScene(scene, "dark"));
}
await save("icons.svg", iconFile());
await allowStyles();
await mkdir(join(root, "public", "posts"), { recursive: true });
for (const [name, scene] of scenes) {
  await save(`posts/${name}-light.webp`, await webp(scene, "light"));
  await save(`posts/${name}-dark.webp`, await webp(scene, "dark"));
}
for (const [name, scene] of postPlaceholders) {
  const [light, dark] = [await webp(scene, "light"), await webp(scene, "dark")];
  await save(`posts/${name}.svg`, inBothSchemes(light, dark));
}

/** Lets browsers that apply a file's policy to its styles, such as Firefox, apply those of the drawn files. */
async function allowStyles(): Promise<void> {
  const file = join(root, "public", "_headers");
  const hashes = Array.from(
    drawnStyles,
    (styles) => `'sha256-${createHash("sha256").update(styles).digest("base64")}'`,
  );
  const policies = await readFile(file, "utf8");
  await writeFile(file, policies.replaceAll(/(?<=style-src )'sha256-[^;]*/g, hashes.join(" ")));
}

/** The styles of a page's first paint and of all drawings, with the font inlined. */
async function stylesheet(): Promise<string> {
  const code = await compile(`${drawingStyles}${await readFile(criticalCss, "utf8")}`);
  const font = await readFile(join(root, "app", "ui", "fonts", "fraunces.woff2"), "base64");
  return code.replace(/url\([^)]*fraunces\.woff2[^)]*\)/, `url(data:font/woff2;base64,${font})`);
}

/** @param styles with imports as in the critical CSS */
async function compile(styles: string): Promise<string> {
  return (await preprocessCSS(styles, criticalCss, await resolveConfig(vite, "serve"))).code;
}

/** The logo as a standalone file: no stylesheet applies to it, so its custom properties become colours. */
function standaloneLogo(): string {
  const fills = { host: "logoHost", maker: "logoMaker", cloth: "logoCloth", stripe: "logoStripe" } as const;
  return logo
    .replace(/ class="logo"| aria-hidden="true"/g, "")
    .replace(/var\(--logo-(\w+)\)/g, (_, part) => colour(fills[part as keyof typeof fills]))
    .replace('viewBox="0 0 48 48"', 'xmlns="http://www.w3.org/2000/svg" viewBox="-6 -5 60 60"')
    .replace(/(<svg[^>]*>)/, `$1<rect x="-6" y="-5" width="60" height="60" rx="13" fill="${colour("bar")}"/>`)
    .replace(/(<svg[^>]*>)/, `$1<title>${site.name}</title>`);
}

/** A scene as a standalone file, with the parts, styles and colours that it uses. Its sky is the page's. */
function standaloneScene(scene: string, scheme: "light" | "dark"): string {
  const parts = Array.from(sharedParts.matchAll(/<(g|radialGradient) id="(\w+)">.*?<\/\1>/g))
    .filter(([, , name]) => name === "glow" || scene.includes(`#${name}`))
    .map(([part]) => part);
  const drawing = scene
    .replace(' class="scene"', ' xmlns="http://www.w3.org/2000/svg" width="400" height="210"')
    .replace(/(?<=<svg[^>]*>)/, `<defs>${parts.join("")}</defs>`);
  const rules = rulesFor(drawing);
  const hidden = scheme === "light" ? ".night" : ".day";
  const styles = `${coloursFor(rules + drawing, scheme)}${rules}${hidden}{display:none}`;
  drawnStyles.add(styles);
  return drawing.replace("<defs>", `<style>${styles}</style><defs>`);
}

/** The icons below each other, each with a view of its name, for both schemes. */
function iconFile(): string {
  const side = 64;
  const drawings = icons.map(([name, icon], index) => {
    const view = `<view id="${name}" viewBox="0 ${index * side} ${side} ${side}"/>`;
    return view + icon.replace("<svg", `<svg y="${index * side}" width="${side}" height="${side}"`);
  });
  const all = drawings.join("\n").replaceAll(' aria-hidden="true"', "");
  const rules = rulesFor(all);
  const [light, dark] = schemes.map((scheme) => coloursFor(rules + all, scheme));
  const styles = `${light}@media (prefers-color-scheme:dark){${dark}}${rules}`;
  drawnStyles.add(styles);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${icons.length * side}">
<title>Icons</title><style>${styles}</style>
${all}</svg>
`;
}

/** Those of the drawings' styles that a drawing uses. */
function rulesFor(drawing: string): string {
  const classes = Array.from(drawing.matchAll(/class="([^"]*)"/g)).flatMap(([, names = ""]) => names.split(" "));
  return Array.from(drawingCss.matchAll(/([^{}]+)\{[^{}]*\}/g))
    .filter(([, selector = ""]) => selector.match(/[\w-]+/g)?.some((name) => classes.includes(name)))
    .map(([rule]) => rule)
    .join("");
}

/** The custom properties that styles and a drawing use. */
function coloursFor(drawing: string, scheme: (typeof schemes)[number]): string {
  const roles = new Set(Array.from(drawing.matchAll(/var\(--([\w-]+)\)/g), ([, role = ""]) => role));
  return `svg{${Array.from(roles, (role) => `--${role}:${colour(camelCase(role) as Role, scheme)};`).join("")}}`;
}

/** `lamp-light` becomes `lampLight`, `skin-2` becomes `skin2`. */
function camelCase(property: string): string {
  return property.replace(/-(\w)/g, (_, first) => first.toUpperCase());
}

/** The logo on a green square. Maskable icons must keep it within the middle 80 %. */
function tile(margin: number): string {
  return `<style>body{background:var(--bar);padding:${margin}px;height:100vh}.logo{width:100%;height:100%}</style>${logo}`;
}

function shareImage(): string {
  return `
    <style>
      body { height: 100vh; background: linear-gradient(var(--sky) 35%, var(--horizon) 66%); text-align: center; overflow: hidden }
      .name { display: flex; justify-content: center; align-items: center; gap: 24px; margin: 4px auto; max-width: none;
        font: 84px/1 var(--display) }
      .name .logo { width: 108px; --logo-host: var(--primary) }
      .tagline { max-width: none; margin: 10px 0 0; font: 40px/1.3 var(--display); color: var(--primary) }
      .market { position: absolute; inset: auto 0 0; width: 100%; height: 383px }
    </style>
    ${bunting}
    <p class="name">${logo}${site.name}</p>
    <p class="tagline">${site.tagline}</p>
    ${sharedParts}${market}`;
}

/** The preview of a friend’s link. Its words stay whole where an app shows the middle square of a picture. */
function ticketImage(): string {
  const bites = "transparent 11px, var(--ink) 12px";
  return `
    <style>
      body { height: 100vh; background: linear-gradient(var(--sky) 35%, var(--horizon) 66%); overflow: hidden }
      .market { position: absolute; inset: auto 0 0; width: 100%; height: 383px }
      .market .sky { display: none }
      .shadow { position: absolute; inset: 74px 136px auto; rotate: -3deg; filter: drop-shadow(0 12px 14px var(--lift-far)) }
      .ticket { padding: 14px 28px; background: var(--secondary);
        mask: radial-gradient(circle at 0 50%, ${bites}) left / 51% 34px repeat-y, radial-gradient(circle at 100% 50%, ${bites}) right / 51% 34px repeat-y }
      .paper { position: relative; display: grid; grid-template-columns: 1fr 200px; height: 278px; background: var(--raised); text-align: center }
      .paper p { max-width: none; margin: 0; font: 40px/1.1 var(--display) }
      .words, .stub { display: flex; flex-direction: column; align-items: center; justify-content: center }
      .words { gap: 14px }
      .words .name { display: flex; gap: 14px; align-items: center }
      .name .logo { width: 56px; --logo-host: var(--primary) }
      .paper .invitation { width: 6.6em; font-size: 78px; line-height: 1.04; color: var(--link) }
      .stub { gap: 20px; border-left: 6px dotted var(--edge); color: var(--error) }
      .stub::before, .stub::after { content: ""; position: absolute; top: -16px; right: 187px; width: 32px; height: 32px; border-radius: 50%;
        background: var(--secondary) }
      .stub::after { top: auto; bottom: -16px }
      .paper .admit { width: 3em; font-size: 46px }
      .stamp { display: grid; place-items: center; width: 112px; height: 112px; border: 4px solid; border-radius: 50%;
        outline: 3px dotted; outline-offset: -13px; rotate: -10deg; --logo-host: var(--error); --logo-stripe: var(--error);
        --logo-maker: var(--secondary); --logo-cloth: var(--secondary) }
      .stamp .logo { width: 54px }
    </style>
    ${bunting}${sharedParts}${market}
    <div class="shadow"><div class="ticket"><div class="paper">
      <div class="words">
        <p class="name">${logo}${site.name}</p>
        <p class="invitation">${INVITATION}</p>
      </div>
      <div class="stub">
        <div class="stamp">${logo}</div>
        <p class="admit">Admit one</p>
      </div>
    </div></div></div>`;
}

/** The logo on nothing, at twice its size, for the bar of emails in both schemes. */
async function emailLogo(): Promise<Buffer> {
  const viewport = { width: 36, height: 36 };
  const body = `<style>body{background:none}.logo{display:block;width:36px;height:36px}</style>${logo}`;
  await using page = await open(body, { viewport, deviceScaleFactor: 2 });
  return await page.screenshot({ omitBackground: true });
}

/** The market across an email, at twice its size there. Drawn wider, because narrow viewports hide its sides. */
async function emailMarket(colorScheme: "light" | "dark"): Promise<Buffer> {
  const viewport = { width: EMAIL_MARKET_WIDTH, height: (EMAIL_MARKET_WIDTH * STRIP_HEIGHT) / CARD_WIDTH };
  const body = `<style>
      body { height: 100vh; background: linear-gradient(var(--sky) 10%, var(--horizon) 66%); overflow: hidden }
      .market { position: absolute; inset: auto 0 0; width: 100%; height: 100% }
    </style>${sharedParts}${market}`;
  await using page = await open(body, {
    viewport,
    deviceScaleFactor: (2 * CARD_WIDTH) / EMAIL_MARKET_WIDTH,
    colorScheme,
  });
  return await page.screenshot();
}

async function screenshot(body: string, width: number, height = width): Promise<Buffer> {
  await using page = await open(body, { viewport: { width, height }, colorScheme: "light" });
  return await page.screenshot();
}

/** A scene at twice its size. */
async function webp(scene: string, colorScheme: "light" | "dark"): Promise<Buffer> {
  const parts = `<style>.scene{display:block}</style>${sharedParts}`;
  const viewport = { width: 400, height: 210 };
  await using page = await open(parts + scene, { viewport, deviceScaleFactor: 2, colorScheme });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: WEBP_QUALITY });
  return Buffer.from(data, "base64");
}

/** One file for both colour schemes, because an `img` that was redirected has no `source` for the other one. */
function inBothSchemes(light: Buffer, dark: Buffer): string {
  const image = (scheme: string, webp: Buffer) =>
    `<image class="${scheme}" width="400" height="210" href="data:image/webp;base64,${webp.toString("base64")}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 210" width="400" height="210">
<title>A market stall</title><style>
.dark{display:none}@media (prefers-color-scheme:dark){.light{display:none}.dark{display:inline}}
</style>${image("light", light)}${image("dark", dark)}</svg>
`;
}

async function open(body: string, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: "reduce", ...options });
  await page.setContent(`<!doctype html><style>${css}</style>${body}`);
  await page.evaluate(() => document.fonts.ready);
  // A page without a first frame cannot be captured.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page;
}

/** An .ico file may hold an unchanged PNG after its header. https://en.wikipedia.org/wiki/ICO_(file_format) */
function wrapInIco(png: Buffer): Buffer {
  // One icon of 32 by 32 pixels and 32 bits a pixel; then the length of the PNG, and where it starts.
  const header = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  header.writeUInt32LE(png.length, 14);
  return Buffer.concat([header, png]);
}

async function save(name: string, content: string | Buffer): Promise<void> {
  await writeFile(join(root, "public", name), content);
  console.log(`public/${name}: ${content.length} bytes`);
}
