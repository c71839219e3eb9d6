import { test } from "#tests/support/browser/owner-test.ts";

export const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

interface Device {
  name: keyof typeof screens;
  javaScriptEnabled: boolean;
}

/** Defines tests of the owner's pages on a phone and a desktop, with and without JavaScript. */
export function onEveryDevice(define: (device: Device) => void): void {
  for (const name of ["phone", "desktop"] as const) {
    for (const javaScriptEnabled of [true, false]) {
      test.describe(`on a ${name}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
        test.use({ javaScriptEnabled, viewport: screens[name] });
        define({ name, javaScriptEnabled });
      });
    }
  }
}
