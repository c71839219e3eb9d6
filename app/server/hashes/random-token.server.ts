/** 256 random bits as 64 hexadecimal digits. */
export function randomToken(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 as hexadecimal digits: what the database stores of a secret value. */
export async function sha256(value: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))));
}

/** The owner's commands run on Node 24, which has no Uint8Array.prototype.toHex. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
