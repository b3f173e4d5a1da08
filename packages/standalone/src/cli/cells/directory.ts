/**
 * The file of the cells: installations with databases, accounts and binds of their own, by their names.
 *
 * `{"eu-1": {"url": "https://ops.eu-1.example", "token_file": "/run/secrets/eu-1"}, …}`
 */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fromSchemaError, sentenceOf } from "@watchword/schemas/Errors"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Server } from "../remote.ts"
import { mistake } from "../root.ts"
import { baseOf, isSafe, isToken } from "../servers.ts"

/** The servers of cells by their names, in the order of the file. */
export type Cells = ReadonlyMap<string, Server>

const Url = Schema.String.check(
  Schema.makeFilter((text) =>
    isSafe(text)
      ? undefined
      : "must be the address of the cell's operators' API, https://…, or http://… on this machine"
  )
)

const File = Schema.Record(Schema.String, Schema.Struct({ url: Url, token_file: Schema.String }))

const decode = Schema.decodeUnknownResult(File, { errors: "all", onExcessProperty: "error" })

/** Backends of the proxy have these names. */
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

/** Reads the file, and the files of its tokens, which are in the same folder unless their paths are absolute. */
export const cellsIn = Effect.fnUntraced(function* (file: string): Effect.fn.Return<Cells, CliError.UserError> {
  const read = decode(yield* parsed(file, yield* textOf(file, "--cells")))
  if (Result.isFailure(read)) return yield* wrong(file, sentenceOf(fromSchemaError(read.failure)))
  const cells = Object.entries(read.success)
  if (cells.length === 0) return yield* wrong(file, "it has no cells.")
  const unnamed = cells.find(([name]) => !NAME.test(name))
  if (unnamed !== undefined)
    return yield* wrong(file, `the name ${unnamed[0]} must be lower-case letters, digits and -.`)
  const servers = yield* Effect.forEach(cells, ([name, { token_file, url }]) =>
    Effect.gen(function* () {
      const token = (yield* textOf(resolve(dirname(file), token_file), `the token_file of ${name}`)).trim()
      if (!isToken(token))
        return yield* mistake(`The token_file of ${name} must hold a token of watchword operator grant.`)
      return [name, { url: baseOf(url), token: Redacted.make(token) }] as const
    })
  )
  return new Map(servers)
})

const wrong = (file: string, why: string) => mistake(`The file ${file} (--cells) is not valid: ${why}`)

const parsed = (file: string, text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => wrong(file, "it is not JSON.") })

const textOf = (file: string, what: string) =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: () => mistake(`The file ${file} (${what}) cannot be read.`)
  })
