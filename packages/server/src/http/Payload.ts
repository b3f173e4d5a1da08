/**
 * The JSON body of a request, which the host may have parsed already.
 */
import { BadRequest, ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "./ApiRequest.ts"
import type { WithBody } from "./Bodies.ts"
import type { HostBody } from "../Host.ts"

const refused = (message: string, mend: string) => new BadRequest({ message, issues: [{ path: "", message: mend }] })

const unsupported = refused("The content type is not supported.", "must be application/json in UTF-8")
const compressed = refused("The request body is compressed.", "must not be compressed")
const empty = refused("The request body is empty.", "must be a JSON object")
const malformed = refused("The request body is not JSON.", "must be a JSON object in UTF-8")
export const tooLarge = refused("The request body is too large.", "must be smaller")
const overloaded = new ServiceUnavailable({ message: "Too many request bodies are in memory; try again." })
const late = new ServiceUnavailable({ message: "The request body came too slowly, or in too small pieces; try again." })

/**
 * Reads the value of a request's body.
 *
 * @param party who sends it, such as the id of an account
 * @param absent the value of a request without a body; without it a body is required
 */
export type Payload = (
  request: ApiRequest,
  party: string,
  absent?: unknown
) => Effect.Effect<unknown, BadRequest | ServiceUnavailable>

export const make =
  (withBody: WithBody): Payload =>
  (request, party, absent = empty) => {
    const { host } = request
    if (!isJson(headerOf(host, "content-type"))) return Effect.fail(unsupported)
    if (isCompressed(headerOf(host, "content-encoding"))) return Effect.fail(compressed)
    return withBody(host, party, (body) => {
      const given = valueOf(body)
      const value = given === empty ? absent : given
      if (value instanceof BadRequest || value instanceof ServiceUnavailable) return Effect.fail(value)
      request.body = value
      return Effect.succeed(value)
    })
  }

const valueOf = (body: HostBody): unknown => {
  switch (body._tag) {
    case "Absent":
      return empty
    case "Bytes":
      return body.bytes.length === 0 ? empty : parse(body.bytes)
    case "Parsed":
      return body.value
    case "TooLarge":
      return tooLarge
    case "Overloaded":
      return overloaded
    case "Late":
      return late
    case "Unreadable":
      return malformed
  }
}

// RFC 8259 §8.1: JSON between systems is UTF-8; a byte order mark may be ignored, and the decoder does.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    return malformedAt(error)
  }
}

/**
 * Names the place of the mistake where the runtime tells it. Its message has parts of the body, which is not repeated.
 */
const malformedAt = (error: unknown): BadRequest => {
  const [, line, column] = (error instanceof SyntaxError && /line (\d+) column (\d+)/.exec(error.message)) || []
  if (line === undefined) return malformed
  return refused(
    "The request body is not JSON.",
    `must be a JSON object in UTF-8; line ${line}, column ${column} is not`
  )
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
