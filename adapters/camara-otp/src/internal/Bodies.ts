/**
 * Bodies of `send-code` and `validate-code`.
 */
import { fromSchemaError } from "@watchword/schemas/Errors"
import type { HostBody, HostRequest, HostResponse } from "@watchword/server/Host"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { problem } from "./Answers.ts"
import { headerOf, jsonOf, utf8Of } from "./Fields.ts"

/** JSON Schema counts characters, not UTF-16 code units. */
const atMost = (most: number) =>
  Schema.makeFilter((text: string) =>
    Array.from(text).length <= most ? undefined : `must have at most ${most} characters`
  )

const PLACE = "{{code}}"

export const SendCode = Schema.Struct({
  phoneNumber: Schema.String.check(
    Schema.isPattern(/^\+[1-9][0-9]{4,14}$/, { message: "must be a plus sign and 5 to 15 digits, as in E.164" })
  ),
  message: Schema.String.check(
    atMost(160),
    Schema.makeFilter((text) => (text.includes(PLACE) ? undefined : `must contain ${PLACE} where the code belongs`))
  )
})

export const ValidateCode = Schema.Struct({
  authenticationId: Schema.String.check(atMost(36)),
  code: Schema.String.check(atMost(10))
})

/** Fields beyond the standard's are ignored, as version 1.1 has it. */
export const reading = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S
): ((request: HostRequest, body: HostBody) => Result.Result<S["Type"], HostResponse>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (request, body) =>
    Result.flatMap(valueOf(request, body), (value) =>
      Result.mapError(decode(value), (error) => invalid(fromSchemaError(error)))
    )
}

const invalid = (issues: ReadonlyArray<{ readonly path: string; readonly message: string }>): HostResponse =>
  problem("invalid", {
    message: `${issues.map(({ message, path }) => `${path === "" ? "The body" : path} ${message}`).join("; ")}.`
  })

const valueOf = ({ headers }: HostRequest, body: HostBody): Result.Result<unknown, HostResponse> => {
  switch (body._tag) {
    case "Parsed":
      return Result.succeed(body.value)
    case "Absent":
      return Result.fail(absent)
    case "Bytes":
      return ofBytes(headerOf(headers, "content-type"), body.bytes)
    case "TooLarge":
      return Result.fail(problem("invalid", { message: "The body is too large." }))
    case "Unreadable":
      return Result.fail(problem("invalid", { message: "The body could not be read." }))
    case "Late":
    case "Overloaded":
      return Result.fail(problem("tooManyRequests"))
  }
}

const ofBytes = (type: string | null, bytes: Uint8Array): Result.Result<unknown, HostResponse> => {
  if (bytes.length === 0) return Result.fail(absent)
  if (!isJson(type)) return Result.fail(problem("wrongType"))
  const value = jsonOf(utf8Of(bytes))
  return value === undefined ? Result.fail(notJson) : Result.succeed(value)
}

const notJson = problem("invalid", { message: "The body is not valid JSON." })

const absent = problem("invalid", { message: "The body is missing." })

const isJson = (type: string | null): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? "")
