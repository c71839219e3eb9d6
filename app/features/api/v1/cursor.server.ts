/** A place in a list: the time of an entry, or 0 in lists by id, and its id. */
export interface Place {
  created_at: number;
  id: number;
}

/** Opaque to clients, so that its content can change. It has no email address in it, because it is part of URLs. */
export function writeCursor(list: string, { created_at, id }: Place): string {
  return btoa(`${list} ${created_at} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The place of a cursor; null if it is malformed or belongs to another list. */
export function readCursor(list: string, cursor: string): Place | null {
  try {
    const [name, time, id, ...rest] = atob(cursor.replaceAll("-", "+").replaceAll("_", "/")).split(" ");
    if (name !== list || rest.length > 0 || !isNumber(time) || !isNumber(id)) return null;
    return { created_at: Number(time), id: Number(id) };
  } catch {
    return null;
  }
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^-?\d{1,15}$/.test(text);
}
