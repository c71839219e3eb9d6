/** 128 random bits in Base64, as https://www.w3.org/TR/CSP3/#security-nonces requires. */
export function newNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64();
}
