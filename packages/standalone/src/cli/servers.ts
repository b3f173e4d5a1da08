/**
 * Addresses and tokens of servers, as operators give them.
 */

/** Whether a token may be sent there: by TLS, or to this machine. */
export const isSafe = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hostname, protocol } = new URL(text)
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
}

export const isToken = (text: string): boolean => /^wwo_\w+$/.test(text)

/** The base of an operators' API, without `/operator/v1`. */
export const baseOf = (url: string): string => url.replace(/\/+$/, "").replace(/\/operator\/v1$/, "")
