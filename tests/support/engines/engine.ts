export type Scheme = "light" | "dark";

/** A browser engine that the site is tested in, besides the installed Chromium. */
export interface Engine {
  name: string;
  /** A sentence that says what to install, or null if the browser is there. */
  missing(): string | null;
  launch(scheme: Scheme): Promise<EngineBrowser>;
}

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

/** The few things that tests do in every engine. Selectors are CSS and wait for their element. */
export interface EngineBrowser {
  /** Forgets all cookies and opens a window of this size (CSS pixels). */
  newVisit(size: { width: number; height: number }): Promise<void>;
  open(url: string): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Clicks with the pointer, as a visitor does. */
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  press(key: "Tab" | "Shift+Tab" | "Enter" | "Escape"): Promise<void>;
  /** Runs a function in the page. It must not use anything outside of itself. */
  evaluate<Args extends (string | number)[], Result>(body: (...args: Args) => Result, ...args: Args): Promise<Result>;
  close(): Promise<void>;
}

/** How long tests wait for something to happen (milliseconds). */
const TIMEOUT = 15_000;

/** Waits until `read` returns what `accept` accepts. Errors while a page is loading count as not yet. */
export async function until<Value>(read: () => Promise<Value>, accept: (value: Value) => boolean): Promise<Value> {
  let last: unknown;
  for (const deadline = Date.now() + TIMEOUT; Date.now() < deadline; ) {
    try {
      const value = await read();
      if (accept(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Still waiting after ${TIMEOUT} ms; at last: ${last instanceof Error ? last : JSON.stringify(last)}`);
}
