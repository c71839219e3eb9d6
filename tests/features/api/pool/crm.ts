import { Webhook } from "standardwebhooks";

/** An entry as the API writes it. A CRM stores what it does not know too. */
export interface CopiedEntry {
  id: number;
  email: string;
  [member: string]: unknown;
}

export interface NewPerson {
  email: string;
  consent: { at: string; note: string };
  [member: string]: unknown;
}

/** How a program reaches the site. `wait`: for so many seconds. */
export interface Connection {
  fetch(path: string, init: RequestInit): Promise<Response>;
  wait(seconds: number): Promise<unknown>;
}

interface ChangesPage {
  entries: CopiedEntry[];
  erased: number[];
  next_cursor: string | null;
  sync_cursor: string | null;
}

/**
 * A CRM that keeps a copy of the list, and changes it. It uses nothing but what the docs promise. It does one thing at a time,
 * so that an older answer never overwrites a newer one.
 */
export class Crm {
  /** The copy, by the entry's id. */
  people = new Map<number, CopiedEntry>();
  /** People who were added here, by address, until the site has an entry for them or refuses it. */
  readonly drafts = new Map<string, NewPerson>();
  /** What happened, a line for each event. */
  readonly timeline: { id: string; type: string; entryId: number }[] = [];
  /** Entries to read again. */
  readonly due = new Set<number>();
  /** When the last sync began: everything that changed before is in the copy. Belongs into a backup of it. */
  syncedAt = "";
  #cursor: string | null = null;
  readonly #seen = new Set<string>();
  readonly #connection: Connection;
  readonly #key: string;
  readonly #secret: string;

  /** @param secret of the webhook endpoint */
  constructor(connection: Connection, { key, secret }: { key: string; secret: string }) {
    this.#connection = connection;
    this.#key = key;
    this.#secret = secret;
  }

  /** Takes an event: checks it, and remembers what to read. @returns the status of the response, which does not wait for more */
  receive(headers: Record<string, string>, body: string): number {
    let event: { type: string; test?: true; data: { entry_id?: number } };
    try {
      event = new Webhook(this.#secret).verify(body, headers) as typeof event;
    } catch {
      return 401;
    }
    const id = headers["webhook-id"] ?? "";
    const entryId = event.data.entry_id;
    if (this.#seen.has(id) || event.test || entryId === undefined) return 204;
    this.#seen.add(id);
    this.timeline.push({ id, type: event.type, entryId });
    this.due.add(entryId);
    return 204;
  }

  /** Reads the entries that events were about. Their order does not matter: what counts is the entry as it is now. */
  async readDue(): Promise<void> {
    for (const id of this.due) {
      this.#keep(id, await this.#send("GET", `/entries/${id}`));
      this.due.delete(id);
    }
  }

  /**
   * Gets what has changed since the last time, so that lost events do no harm. The first time, it gets everyone.
   *
   * @param since of a copy that was restored from a backup: its `syncedAt`
   */
  async sync(since?: string): Promise<void> {
    let from: Record<string, string> = this.#cursor === null ? {} : { cursor: this.#cursor };
    if (since !== undefined) from = { changed_since: since };
    const isWhole = Object.keys(from).length === 0;
    const syncedAt = new Date().toISOString();
    const unseen = new Set(isWhole ? this.people.keys() : []);
    for (;;) {
      const query = new URLSearchParams({ order: "changed", limit: "100", ...from });
      const { status, body } = await this.#send("GET", `/entries?${query}`);
      if (status === 410 && !isWhole) {
        this.#cursor = null;
        return this.sync();
      }
      if (status !== 200) throw new Error(`The list could not be read: ${JSON.stringify(body)}`);
      const { entries, erased, next_cursor, sync_cursor }: ChangesPage = body;
      for (const entry of entries) {
        this.#store(entry);
        unseen.delete(entry.id);
      }
      for (const id of erased) this.people.delete(id);
      if (sync_cursor !== null) this.#cursor = sync_cursor;
      if (next_cursor === null) break;
      from = { cursor: next_cursor };
    }
    // They were erased so long ago that the list no longer says so.
    for (const id of unseen) this.people.delete(id);
    this.syncedAt = syncedAt;
  }

  /** Finds a person by their address, also one who is not in the copy yet. */
  async find(email: string): Promise<CopiedEntry | null> {
    const { status, body } = await this.#send("POST", "/entries/find", { email });
    return status === 200 ? this.#store(body) : null;
  }

  /** @returns whether the site has an entry for them now */
  async add(person: NewPerson): Promise<boolean> {
    this.drafts.set(person.email, person);
    const { status, body } = await this.#send("POST", "/entries", person);
    if (status === 200 || status === 201) this.#store(body);
    // 409: only the person can join. 404: they were erased at once.
    this.drafts.delete(person.email);
    return status === 200 || status === 201;
  }

  async change(id: number, change: object): Promise<number> {
    const answer = await this.#send("PATCH", `/entries/${id}`, change);
    return this.#keep(id, answer);
  }

  async unsubscribe(id: number): Promise<void> {
    this.#keep(id, await this.#send("POST", `/entries/${id}/unsubscribe`));
  }

  async erase(id: number): Promise<void> {
    await this.#send("DELETE", `/entries/${id}`);
    this.people.delete(id);
  }

  #keep(id: number, { status, body }: { status: number; body: CopiedEntry }): number {
    if (status === 404) this.people.delete(id);
    if (status === 200) this.#store(body);
    return status;
  }

  #store({ emails: _, ...entry }: CopiedEntry): CopiedEntry {
    this.drafts.delete(entry.email);
    this.people.set(entry.id, entry);
    return entry;
  }

  /** Sends a request until it is answered: each can be repeated, also if it was carried out and only its answer got lost. */
  async #send(method: string, path: string, body?: object) {
    for (;;) {
      const headers = { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await this.#connection.fetch(`/api/v1${path}`, init).catch(() => null);
      const isLater = response === null || response.status === 429 || response.status === 503;
      // Not every response has a body.
      if (!isLater) return { status: response.status, body: JSON.parse((await response.text()) || "null") };
      await this.#connection.wait(Number(response?.headers.get("Retry-After") ?? 1));
    }
  }
}
