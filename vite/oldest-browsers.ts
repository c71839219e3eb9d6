/** The oldest browsers that the site supports (docs/browsers.md), by their names in MDN's compatibility data. */
export const oldestBrowsers = { safari: "16.4", firefox: "115", chrome: "109" } as const;

/** As targets of Vite. They lower syntax and styles but add no missing API. */
export const buildTargets = Object.entries(oldestBrowsers).map(([name, version]) => name + version);
