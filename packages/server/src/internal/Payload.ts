/**
 * The JSON body of a request, which the host may have parsed already.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "./ApiRequest.ts"
import type { HostRequest } from "../Host.ts"

const refused = (message: string, mend: string) => new BadRequest({ message, issues: [{ path: "", message: mend }] })

const unsupported = refused("The content type is not supported.", "must be application/json in UTF-8")
const compressed = refused("The request body is compressed.", "must not be compressed")
const empty = refused("The request body is empty.", "must be a JSON object")
const malformed = refused("The request body is not JSON.", "must be a JSON object in UTF-8")
const tooLarge = refused("The request body is too large.", "must be smaller")

/**
 * The value of a body.
 *
 * @param absent the value of a request without a body; without it a body is required
 */
export const bodyOf = (request: ApiRequest, absent: unknown = empty): Effect.Effect<unknown, BadRequest> => {
  const given = read(request.host)
  const value = given === empty ? absent : given
  return value instanceof BadRequest ? Effect.fail(value) : Effect.succeed(value)
}

const read = (host: HostRequest): unknown => {
  if (!isJson(headerOf(host, "content-type"))) return unsupported
  if (isCompressed(headerOf(host, "content-encoding"))) return compressed
  switch (host.body._tag) {
    case "Absent":
      return empty
    case "Bytes":
      return host.body.bytes.length === 0 ? empty : parse(host.body.bytes)
    case "Parsed":
      return host.body.value
    case "TooLarge":
      return tooLarge
    case "Unreadable":
      return malformed
  }
}

// RFC 8259 §8.1: JSON between systems is UTF-8; a byte order mark may be ignored, and the decoder does.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return malformed
  }
}

/** A body without a type is taken for JSON; a charset other than UTF-8 is refused. */
const isJson = (type: string | null): boolean => {
  if (type === null || type === "application/json") return true
  const [media, ...parameters] = type.split(";").map((part) => part.trim().toLowerCase())
  return (
    media === "application/json" &&
    parameters.every((parameter) => !parameter.startsWith("charset") || isUtf8(parameter))
  )
}

const isUtf8 = (charset: string): boolean => /^charset\s*=\s*"?utf-?8"?$/.test(charset)

const isCompressed = (encoding: string | null): boolean => encoding !== null && encoding.toLowerCase() !== "identity"
