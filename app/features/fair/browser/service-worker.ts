import { sendAll } from "#app/features/fair/browser/send.ts";
import { type Precache, SYNC_TAG, VERSION_HEADER } from "#app/features/fair/protocol.ts";

/* The service worker of the form. It answers for the files of its version alone; all other requests pass it by. */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface ServiceWorkerEvents {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: ExtendableEvent & { request: Request; respondWith(response: Promise<Response>): void };
  /** Only in browsers with background sync. */
  sync: ExtendableEvent & { tag: string };
}

/** The part of `ServiceWorkerGlobalScope` that is used. TypeScript cannot have the types of pages and workers at once. */
declare const self: {
  addEventListener<Name extends keyof ServiceWorkerEvents>(
    name: Name,
    listener: (event: ServiceWorkerEvents[Name]) => void,
  ): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
};

/** The Worker writes it above this script. */
declare const PRECACHE: Precache;

const PREFIX = "fair-";
const cacheName = PREFIX + PRECACHE.version;

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { origin, pathname, search } = new URL(event.request.url);
  const isOurs = event.request.method === "GET" && origin === self.location.origin && search === "";
  if (isOurs && PRECACHE.files.includes(pathname)) event.respondWith(fromCache(pathname, event.request));
});

self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendOrFail());
});

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all(PRECACHE.files.map((path) => addTo(cache, path)));
  await self.skipWaiting();
}

/** While a deployment goes live, the site may answer with files of another version. Then the browser installs it later. */
async function addTo(cache: Cache, path: string): Promise<void> {
  const response = await fetch(path, { cache: "no-cache", redirect: "error" });
  const version = response.headers.get(VERSION_HEADER) ?? PRECACHE.version;
  if (!response.ok || version !== PRECACHE.version) throw new Error(`${path} is not of this version`);
  await cache.put(path, response);
}

async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function fromCache(path: string, request: Request): Promise<Response> {
  const cached = await caches.match(path, { cacheName });
  return cached ?? fetch(request);
}

/** @throws if something still waits: then the browser repeats the sync event later */
async function sendOrFail(): Promise<void> {
  if (!(await sendAll())) throw new Error("Some sign-ups still wait");
}
