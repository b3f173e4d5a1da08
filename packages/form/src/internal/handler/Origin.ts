/**
 * Refuses requests that another site's page has a browser make, with the user's cookies.
 *
 * Source: Fetch Metadata Request Headers; RFC 6454 (`Origin`); Go's `http.CrossOriginProtection`, whose order this is.
 */

/** @param own the app's origin where a proxy changes the host of requests */
export const isForeign = (request: Request, own: string | undefined): boolean => {
  const site = request.headers.get("sec-fetch-site")
  // `none` is the user: a reload, or an address that was typed.
  if (site !== null) return site !== "same-origin" && site !== "none"
  const origin = request.headers.get("origin")
  // Programs other than browsers send neither header, and have no user's cookies.
  if (origin === null) return false
  if (own !== undefined) return origin !== own
  // A proxy that ends TLS changes the scheme of requests, and keeps the host.
  return !URL.canParse(origin) || new URL(origin).host !== (request.headers.get("host") ?? new URL(request.url).host)
}
