import { type Key, importKey } from "#hmac"

// Most receivers have one token. Only the last one's key is kept, so that a token that was replaced is
// forgotten; and the key itself rather than a promise of it, because Workers cannot share those.
let last: Key
let lastToken: string | undefined

/** The HMAC key of an access token. */
export const keyOf = async (token: string): Promise<Key> => {
  // The key of an empty token is known to everybody.
  if (!token) throw new TypeError("no accessToken: is its environment variable set?")
  if (token !== lastToken) {
    last = await importKey(token)
    lastToken = token
  }
  return last
}
