/**
 * One request to a provider of sign-ins: bounded in time and size, and never led to another host.
 */
import { USER_AGENT } from "@watchword/send/gateway"

export interface Asked {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A form; null for a GET. */
  readonly body: string | null
}

export interface Answered {
  readonly status: number
  readonly text: string
}

/** Asks a provider; null if it did not answer in time, or its answer is too long. It never rejects. */
export type Exchange = (asked: Asked) => Promise<Answered | null>

/** In milliseconds, from the first byte to the last: a person waits before the page. */
const TIMEOUT = 5_000

/** The largest answer that is read, in bytes: a key set of twenty keys has some 20,000. */
const MAX_BYTES = 65_536

/** Over the network. */
export const overHttp: Exchange = async ({ body, headers, method, url }) => {
  try {
    const response = await fetch(url, {
      method,
      headers: { "user-agent": USER_AGENT, accept: "application/json", ...headers },
      body,
      // The client's secret is only for this host.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT)
    })
    const text = await textOf(response)
    return text === null ? null : { status: response.status, text }
  } catch {
    // Messages of fetch may repeat the address and the headers.
    return null
  }
}

/** Null for a text that is too long; its rest is not read. */
const textOf = async ({ body }: Response): Promise<string | null> => {
  const decoder = new TextDecoder()
  let text = ""
  let length = 0
  if (body === null) return text
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.byteLength
    if (length > MAX_BYTES) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}
