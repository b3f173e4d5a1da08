/**
 * Commands of operators. A command is a value beside the function of the domain that it runs, and no face of it knows another:
 * `service.operator`, the command line and its page in the documents fold over the list of all commands.
 *
 * The type of an input or an answer is what programs have (camelCase, `Date`); its encoded side is what the wire has
 * (snake_case, ISO 8601).
 */
import type { ApiError, BadRequest } from "@watchword/schemas/Errors"
import { badRequest } from "@watchword/schemas/internal/Issues"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreError } from "../StoreError.ts"
import { wireName } from "./Wire.ts"

/** Who may run a command: `support` looks, an `operator` also mends, an `admin` also ends and erases. */
export type Role = "support" | "operator" | "admin"

export type Failure = ApiError | StoreError

/** What came of a command. */
export interface Answer {
  /** The output as the wire has it. */
  readonly json: unknown
  /** The same for people. */
  readonly lines: ReadonlyArray<string>
  /** Whether the command has done what it was asked. */
  readonly isDone: boolean
}

/** A field of an input. */
export interface Field {
  /** Its name in programs. */
  readonly name: string
  /** Its name on the wire. */
  readonly wire: string
  readonly description: string
  readonly isOptional: boolean
  readonly schema: Schema.Constraint
}

/** What faces know of each command of a list. */
export interface AnyCommand<R> {
  /** Its words, such as `guard block`. */
  readonly name: ReadonlyArray<string>
  readonly description: string
  readonly role: Role
  /** Whether it changes something, which the operator's log has to say. */
  readonly changes: boolean
  /** Whether remote interfaces offer it; those of money do not leave the machine. */
  readonly isRemote: boolean
  readonly fields: ReadonlyArray<Field>
  /** The names of the fields that the command is about; people write their values alone, in this order. */
  readonly subject: ReadonlyArray<string>
  /** What it means to take away fields that may be null; null for a command without such fields. */
  readonly clear: string | null
  /** Whether one field besides the subject has to be given. */
  readonly needsChange: boolean
  readonly input: Schema.Constraint
  readonly output: Schema.Constraint
  /** Reads an input from the wire, runs the command and writes its answer. */
  readonly answer: (input: unknown) => Effect.Effect<Answer, Failure, R>
}

/** A command whose types are known. */
export interface Command<I, O, R> extends AnyCommand<R> {
  /** Reads an input of a program that may have no types. */
  readonly read: (input: unknown) => Effect.Effect<I, BadRequest>
  readonly run: (input: I) => Effect.Effect<O, Failure, R>
}

/** What a command is made from. */
interface Options<I, O, R> {
  readonly name: ReadonlyArray<string>
  readonly description: string
  readonly role: Role
  readonly changes?: boolean
  readonly isRemote?: boolean
  readonly input: Schema.ConstraintCodec<I, unknown> & { readonly to: { readonly fields: Schema.Struct.Fields } }
  readonly subject?: ReadonlyArray<keyof I & string>
  readonly clear?: string
  readonly needsChange?: boolean
  readonly output: Schema.ConstraintCodec<O, unknown>
  readonly run: (input: I) => Effect.Effect<O, Failure, R>
  readonly lines: (output: O, input: I) => ReadonlyArray<string>
  readonly isDone?: (output: O) => boolean
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/**
 * @example
 * ```ts
 * import * as Command from "@watchword/store/internal/Command"
 * import { account, wire } from "@watchword/store/internal/Wire"
 * import { Store } from "@watchword/store/Store"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 *
 * export const exists = Command.make({
 *   name: ["account", "exists"],
 *   description: "Say whether there is an account",
 *   role: "support",
 *   input: wire({ account }),
 *   subject: ["account"],
 *   output: wire({ exists: Schema.Boolean }),
 *   run: ({ account }) => Store.use((store) => Effect.map(store.account(account), ({ _tag }) => ({ exists: _tag === "Some" }))),
 *   lines: ({ exists }) => [exists ? "There is such an account." : "There is no such account."]
 * })
 * ```
 */
export const make = <I, O, R>({
  changes = false,
  clear,
  input,
  isDone = () => true,
  isRemote = true,
  lines,
  needsChange = false,
  output,
  run,
  subject = [],
  ...said
}: Options<I, O, R>): Command<I, O, R> => {
  const decode = Schema.decodeUnknownEffect(input, strict)
  const encode = Schema.encodeEffect(output)
  const check = Schema.decodeUnknownEffect(Schema.toType(input), strict)
  return {
    ...said,
    changes,
    isRemote,
    subject,
    clear: clear ?? null,
    needsChange,
    input,
    output,
    fields: Object.entries(input.to.fields).map(([name, schema]) => fieldOf(name, schema)),
    read: (given) => Effect.mapError(check(given), (error) => badRequest(error)),
    run,
    answer: Effect.fnUntraced(function* (given: unknown) {
      const read = yield* Effect.mapError(decode(given), (error) => badRequest(error))
      const answered = yield* run(read)
      const json = yield* Effect.orDie(encode(answered))
      return { json, lines: lines(answered, read), isDone: isDone(answered) }
    })
  }
}

const fieldOf = (name: string, schema: Schema.Constraint): Field => {
  const { annotations, isOptional = false } = schema.ast.context ?? {}
  return { name, wire: wireName(name, schema), description: String(annotations?.["description"] ?? ""), isOptional, schema }
}
