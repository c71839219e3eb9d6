import type { SiteEvent } from "#app/consent/tracking/track.ts";

/** A service of somebody else's, behind the one face that the switch needs. */
export interface TagService {
  category: "analytics" | "marketing";
  /** Loads the service's script and tells it that it has consent. */
  start(): void;
  send(event: SiteEvent): void;
  /** Tells a running script that consent is gone; that nothing more is sent takes a reload. */
  stop(): void;
}

/** Runs a step of a service. Whatever fails in it is a warning and nothing else. */
export function attempt(what: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    console.warn(what, error);
  }
}

/** Loads a service's script. A blocked one is a warning: calls then pile up in a queue that nobody reads. */
export function loadScript(src: string, data: Record<string, string> = {}): void {
  const script = document.createElement("script");
  script.async = true;
  script.src = src;
  Object.assign(script.dataset, data);
  script.addEventListener("error", () => console.warn("Tracking script not loaded", src));
  document.head.appendChild(script);
}
