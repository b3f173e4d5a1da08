/**
 * Bodies of requests, which are JSON.
 */
import type { HostBody, HostRequest } from "@watchword/server/Host"
import { Refused } from "./Refused.ts"

/** The value of a body; undefined for an empty one. Throws `Refused` for any other body than JSON. */
export const valueOf = (request: HostRequest, body: HostBody): unknown => {
  switch (body._tag) {
    case "TooLarge":
      throw new Refused("tooLarge")
    case "Late":
      throw new Refused("late")
    case "Overloaded":
      throw new Refused("internal", { detail: "Too many requests at once: try again." })
    case "Unreadable":
      throw new Refused("invalidJson")
    case "Absent":
      return undefined
    case "Parsed":
      return body.value
    case "Bytes":
      return parsed(request, body.bytes)
  }
}

const parsed = ({ headers }: HostRequest, bytes: Uint8Array): unknown => {
  // SDKs announce JSON and send nothing with calls that take no parameters.
  if (bytes.length === 0) return undefined
  const type = String(headers["content-type"] ?? "application/json")
  if (!/^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i.test(type)) throw new Refused("contentType")
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new Refused("invalidJson")
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })
