import { CODE_PERIOD } from "#app/features/fair/arm.server.ts";
import {
  closeDevice,
  countInbox,
  listDevices,
  MAX_DEVICES,
  makeDevice,
  namesOf,
  readDevice,
  revokeDevice,
} from "#app/features/fair/devices.server.ts";
import { acceptHeld, discardHeld, readHeld } from "#app/features/fair/held.server.ts";
import { deviceView } from "#app/features/fair/owner/device-view.server.tsx";
import { fairView } from "#app/features/fair/owner/fair-view.server.tsx";
import { newCodeView } from "#app/features/fair/owner/new-code-view.server.tsx";
import { readTypedDevice } from "#app/features/fair/owner/read-device.server.ts";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import { type AttentionItem, type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";

/** Held sign-ups on a page. Opening more would take too much CPU time on the free plan. */
const PAGE_SIZE = 20;

/** @param typed a tablet that was not set up */
export async function showFair(c: OwnerContext, typed: ReturnType<typeof readTypedDevice> | null = null) {
  const { db, now, timeZone } = c.var.app;
  const [devices, inbox] = await Promise.all([listDevices(db), countInbox(db)]);
  const heldOf = (id: number) => sum(inbox.filter(({ device, state }) => device === id && state === "held"));
  const listed = devices.map((device) => ({ ...device, held: heldOf(device.id) }));
  if (typed !== null) c.status(422);
  return c.render(fairView({ devices: listed, typed, isLaunched: isLaunched(c), now: now(), timeZone }));
}

/** Shows the code in the response itself: it is stored nowhere, and in no URL of this site's pages. */
export async function addDevice(c: OwnerContext) {
  const { db, now, timeZone, config } = c.var.app;
  const typed = readTypedDevice(c.var.form);
  if (isLaunched(c) || Object.keys(typed.problems).length > 0) return showFair(c, typed);
  const { event, days } = typed;
  const madeAt = now();
  const made = await makeDevice(db, { event, days: Number(days) }, madeAt);
  if (made === null) return showFair(c, { ...typed, problems: { event: TOO_MANY } });
  await c.var.record("make-fair-device", { deviceId: made.id, event, days: Number(days) });
  const url = `${config.SITE_URL}${FAIR_PATH}#${made.code}`;
  return c.render(newCodeView({ id: made.id, event, url, until: madeAt + CODE_PERIOD, timeZone }));
}

const TOO_MANY = `There are ${MAX_DEVICES} tablets, which is the limit. Close one first.`;

export async function showDevice(c: OwnerContext) {
  const { db, now, timeZone } = c.var.app;
  const device = await readDevice(db, idOf(c));
  if (device === null) return c.notFound();
  const page = Math.max(1, parseId(c.req.query("page")) ?? 1);
  const seenAt = now();
  const [inbox, { held, hasMore }] = await Promise.all([
    countInbox(db),
    readHeld(db, device, { page, size: PAGE_SIZE }),
  ]);
  const own = inbox.filter((row) => row.device === device.id);
  const heldBy = own.flatMap(({ reason, people }) => (reason === null ? [] : [{ reason, people }]));
  const due = sum(own.filter(({ state }) => state !== "held"));
  const list = { held, page, hasMore, heldBy, due };
  return c.render(deviceView({ device, ...list, isLaunched: isLaunched(c), now: seenAt, timeZone }));
}

export async function changeDevice(c: OwnerContext) {
  const { db, now } = c.var.app;
  const device = idOf(c);
  switch (c.var.form.get("intent")) {
    case "revoke":
      return done(c, "revoke-fair-device", await revokeDevice(db, device, now()));
    case "close":
      return done(c, "close-fair-device", await closeDevice(db, device, now()));
    case "accept":
    case "discard":
      return decide(c, device);
    default:
      return badRequest(c);
  }
}

async function decide(c: OwnerContext, device: number) {
  const { db, now } = c.var.app;
  const seenAt = parseId(String(c.var.form.get("seen")));
  if (seenAt === undefined) return badRequest(c);
  const isAccepted = c.var.form.get("intent") === "accept";
  if (isAccepted && isLaunched(c)) return done(c, "accept-fair-sign-ups", 0);
  const people = isAccepted
    ? await acceptHeld(db, { device, seenAt }, now())
    : await discardHeld(db, { device, seenAt });
  return done(c, isAccepted ? "accept-fair-sign-ups" : "discard-fair-sign-ups", people);
}

type FairAction = "revoke-fair-device" | "close-fair-device" | "accept-fair-sign-ups" | "discard-fair-sign-ups";

/** Records a change and goes back to the tablet. @param changed how many people, or whether anything changed */
async function done(c: OwnerContext, action: FairAction, changed: number | boolean) {
  const details: Record<string, number> = typeof changed === "number" ? { people: changed } : {};
  if (changed) await c.var.record(action, { deviceId: idOf(c), ...details });
  return c.redirect(`/owner/fair/${idOf(c)}?done=${changed ? action : "unchanged"}`, 303);
}

/** Tablets with sign-ups that wait for the owner's decision. */
export async function fairInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { db } = c.var.app;
  const held = (await countInbox(db)).filter(({ state }) => state === "held");
  const people = Map.groupBy(held, ({ device }) => device);
  if (people.size === 0) return [];
  return (await namesOf(db, [...people.keys()])).map(({ id, event }) => ({
    text: `${counted(sum(people.get(id) ?? []), "sign-up waits", "sign-ups wait")} for your decision, from tablet ${id} at “${event}”.`,
    action: { label: "Decide", about: `about tablet ${id}`, href: `/owner/fair/${id}` },
  }));
}

function sum(rows: { people: number }[]): number {
  return rows.reduce((total, { people }) => total + people, 0);
}

function isLaunched(c: OwnerContext): boolean {
  return c.var.app.config.LAUNCH_URL !== undefined;
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
