import type { SiteEvent } from "#app/consent/tracking/track.ts";

export interface TagService {
  category: "analytics" | "marketing";
  /** Loads the service's script and grants it consent. */
  start(): void;
  send(event: SiteEvent): void;
  /** Withdraws consent from a running script. Only a reload guarantees that it sends nothing more. */
  stop(): void;
}

export function warnOnError(message: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    console.warn(message, error);
  }
}

/** Loads a service's script. A blocked one is logged as a warning; its queue is then never read. */
export function loadScript(src: string, data: Record<string, string> = {}): void {
  const script = document.createElement("script");
  script.async = true;
  script.src = src;
  Object.assign(script.dataset, data);
  script.addEventListener("error", () => console.warn("Tracking script not loaded", src));
  document.head.appendChild(script);
}
