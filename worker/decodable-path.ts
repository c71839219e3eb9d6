/**
 * The request as React Router can read it: a path with broken percent signs, such as `/50%`, is taken literally.
 *
 * React Router takes it literally too, but first warns on the console with the whole path, which may hold the token of a
 * mail's link.
 */
export function withDecodablePath(request: Request): Request {
  if (!request.url.includes("%")) return request;
  const url = new URL(request.url);
  if (decode(url.pathname) !== null) return request;
  url.pathname = url.pathname.replaceAll("%", "%25");
  return new Request(url, request);
}

/** The result is handed on although only its being there is asked for: the bundler drops a call whose result is not used. */
function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
