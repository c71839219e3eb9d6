/**
 * Escapes the percent signs of a path that cannot be decoded, such as `/50%`. React Router would match it the same way,
 * but log a warning with the whole path, which may contain the token of an email link.
 */
export function withDecodablePath(request: Request): Request {
  if (!request.url.includes("%")) return request;
  const url = new URL(request.url);
  if (decode(url.pathname) !== null) return request;
  url.pathname = url.pathname.replaceAll("%", "%25");
  return new Request(url, request);
}

/** Returns the result only because the bundler removes a call whose result is unused. */
function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
