import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { noteBundledPackages } from "./scripts/lib/bundled-packages.ts";
import { localVars } from "./scripts/lib/local-vars.ts";
import { withoutDisplayNames } from "./scripts/lib/without-display-names.ts";

const DEV_PORT = 5173;

export default defineConfig(({ command }) => ({
  // The site knows its own address, so development may not slip to another port.
  server: { port: DEV_PORT, strictPort: true },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Few shared files in place of a dozen small ones: without preloads each level of imports is a round trip, and
          // what is compressed together is smaller. The frame is what every page is made of, and the form of most.
          output: {
            codeSplitting: {
              groups: [
                { name: "libraries", test: /node_modules/ },
                {
                  name: "frame",
                  test: /\/app\/(?:entry\.client|root|routes\/layout|layout\/seo\/page-meta|waitlist\/sign-up-form)\.tsx?/,
                },
              ],
            },
          },
        },
      },
    },
    // What a Worker has to load and parse counts as well.
    ssr: {
      build: {
        minify: true,
        // Beside the bundle and not named in it: profiles are told in the words of the source.
        sourcemap: "hidden",
      },
    },
  },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // A build must not carry local values along to production.
      config: command === "serve" ? { vars: localVars(DEV_PORT) } : {},
    }),
    reactRouter(),
    noteBundledPackages(),
    withoutDisplayNames(),
  ],
}));
