import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { checkQuestions } from "./app/server/config/question-rules.ts";
import { questions } from "./app/site.ts";
import { LOCAL_OWNER, localVars } from "./scripts/lib/local-vars.ts";
import { featureStyles } from "./vite/feature-styles.ts";
import { inlineScript } from "./vite/inline-script.ts";
import { buildTargets } from "./vite/oldest-browsers.ts";
import { paletteCss } from "./vite/palette-plugin.ts";
import { smallerBundles } from "./vite/smaller-bundles.ts";
import { switchedCss, withoutSwitchedOff } from "./vite/switched-off.ts";

/** lightningcss's `Features.LightDark`. */
const LIGHT_DARK = 1 << 20;

checkQuestions(questions);

/** Set by scripts/dev.ts. */
const port = Number(process.env["DEV_PORT"] ?? 5173);
const persistTo = process.env["DEV_PERSIST_TO"] ?? ".wrangler/state";

export default defineConfig(({ command }) => ({
  // SITE_URL contains the port, so Vite must not fall back to another one.
  server: { port, strictPort: true },
  // Lists the packages in the browser's and the Worker's bundle. The browser's is served with the licences' texts.
  build: { license: { fileName: "licences.json" }, cssTarget: buildTargets },
  // Without lightningcss's variables for light-dark(), a function that no stylesheet uses.
  css: { postcss: { plugins: [switchedCss, paletteCss] }, lightningcss: { exclude: LIGHT_DARK } },
  environments: {
    client: {
      build: {
        target: buildTargets,
        modulePreload: false,
        rolldownOptions: {
          // Without it, constants of app/site.ts that browsers do not need would stay, because they read properties.
          treeshake: { propertyReadSideEffects: false },
          // A few shared chunks instead of a dozen small ones: without preloads each level of imports is a round trip,
          // and larger files compress better. "frame" holds the code of every page, the form that most pages have, and the share button of its ticket.
          // entry.client is not in it: if a module of the frame fails, the entry must not run, so that the page stays.
          output: {
            codeSplitting: {
              groups: [
                { name: "libraries", test: /node_modules/ },
                {
                  name: "frame",
                  test: /\/app\/(?:root|layout\/hydration\/restore-page|routes\/layout|layout\/seo\/page-meta|features\/share\/share-page|waitlist\/sign-up\/sign-up-form)\.tsx?/,
                },
              ],
            },
          },
        },
      },
    },
    // The Worker's code is loaded and parsed at start-up.
    ssr: {
      build: {
        minify: true,
        rolldownOptions: {
          // What the features add to the Worker is loaded when it starts, so one file is enough.
          output: { codeSplitting: { groups: [{ name: "features", test: /\/feature\.server\.ts$/ }] } },
        },
      },
    },
  },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      persistState: { path: persistTo },
      // Local values must not end up in a production build. The plugin itself reads .dev.vars, which overrides them.
      // Without the cache of rendered pages, edits show at the next reload.
      config:
        command === "serve" ? { vars: { ...localVars(port), OWNER_EMAIL: LOCAL_OWNER, RENDER_CACHE: "off" } } : {},
    }),
    reactRouter(),
    featureStyles(),
    smallerBundles(),
    withoutSwitchedOff(),
    inlineScript(),
  ],
}));
