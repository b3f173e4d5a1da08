/**
 * Commands of operators. A command is a value next to the domain function that it runs: `service.operator`, the command
 * line and its page in the documents fold over it.
 *
 * The type of an input or an output is that of the command (camelCase, `Date`); its encoded side is JSON
 * (snake_case, ISO 8601). Programs have the names and the times of JSON, and numbers of seconds where people write 12h.
 */
import { type ApiError, BadRequest, badRequest, invalid, unknownField } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreError } from "@watchword/store/StoreError"
import type { Absent } from "./Faces.ts"
import { namesOf } from "./ProgramInput.ts"
import { type Face, type Fields, faceOf } from "./Wire.ts"

/**
 * Who may run a command: `support` looks, and excepts a number from guards for a day, an `operator` also mends, an
 * `admin` also ends, erases and moves money.
 */
export type Role = "support" | "operator" | "admin"

export type Failure = ApiError | StoreError

/** An output, for faces without types. */
export interface Answer<R> {
  /** As JSON has it. */
  readonly json: unknown
  /** The same output for people, as lines. */
  readonly lines: Effect.Effect<ReadonlyArray<string>, Failure, R>
  /** Whether the command did everything that was asked: the command line exits with 1 if not. */
  readonly isDone: boolean
}

/** A command whose input was read. */
export interface Prepared<R> {
  /** Reads the values that the command will change, as JSON; null for a command without such values. */
  readonly before: Effect.Effect<unknown, Failure, R> | null
  /** Whether it is in the operators' log: it is unless its input asks only for values. */
  readonly isLogged: boolean
  readonly run: Effect.Effect<Answer<R>, Failure, R>
}

/** Refuses an input with fields that only the command line has. */
export const checkRemote = (
  { localFields, name }: Pick<AnyCommand<never>, "localFields" | "name">,
  input: unknown
): Effect.Effect<void, BadRequest> => {
  const given = typeof input === "object" && input !== null ? input : {}
  const issues = localFields
    .filter((field) => Object.hasOwn(given, field))
    .map((path) => ({
      path,
      message: `runs only on the command line, on the machine of the database: watchword ${name.join(" ")}`
    }))
  return issues.length === 0 ? Effect.void : Effect.fail(invalid(issues))
}

/** A command as faces fold over it. */
export interface AnyCommand<R> {
  /** Its words, such as `["guard", "block"]`. */
  readonly name: ReadonlyArray<string>
  readonly description: string
  readonly role: Role
  /** Whether pages may follow its answer: it changes nothing, and no phone number is in its input. */
  readonly isWatchable: boolean
  /** The faces that it is not on, and why. */
  readonly absent: Absent
  /** The JSON names of the fields that only the command line has, which has access to the machine. */
  readonly localFields: ReadonlyArray<string>
  /** Whether the operators' log has it. */
  readonly isLogged: boolean
  /** The names in JSON of the fields of its input and its output that no log may have. */
  readonly hidden: ReadonlyArray<string>
  /** The faces of its input's fields, in their order. */
  readonly fields: ReadonlyArray<Face>
  readonly input: Schema.Top
  readonly output: Schema.Top
  /** What taking a list or a text away means, where fields may be null. */
  readonly clear: string | null
  /** Reads an input from JSON. Issues have the names of JSON. */
  readonly prepare: (input: unknown) => Effect.Effect<Prepared<R>, BadRequest>
  /** Reads an input from JSON, and runs the command. */
  readonly answer: (input: unknown) => Effect.Effect<Answer<R>, Failure, R>
}

/** A command with the types of its input, and of its output as JSON. */
export interface Command<I, J, R> extends AnyCommand<R> {
  /** Reads an input of a program, which may have no types. */
  readonly ask: (input: unknown) => Effect.Effect<Asked<J, R>, BadRequest>
  /** The type of its input, which no value has. */
  readonly "~input"?: (input: I) => I
}

/** A command that a program has asked for. */
export interface Asked<J, R> extends Pick<Prepared<R>, "before" | "isLogged"> {
  /** As JSON has it. */
  readonly input: unknown
  readonly run: Effect.Effect<Done<J>, Failure, R>
}

/** An output, for programs and for the operators' log. */
export interface Done<J> {
  readonly json: J
}

interface Options<I, O, J, R, L, B> {
  readonly name: ReadonlyArray<string>
  readonly description: string
  readonly role: Role
  /** False unless given; true only for the role `support`. */
  readonly isWatchable?: boolean
  /** On all faces unless given. */
  readonly absent?: Absent
  /** The names of fields that only the command line has, not the API. */
  readonly localFields?: ReadonlyArray<keyof NoInfer<I> & string>
  /** True unless given for all roles but `support`, whose commands change nothing. */
  readonly isLogged?: boolean
  /** Whether an input only asks for the values that others change. Never unless given. */
  readonly onlyShows?: (input: NoInfer<I>) => boolean
  readonly hidden?: ReadonlyArray<string>
  readonly input: Schema.Top & Schema.ConstraintCodec<I, unknown> & { readonly to: { readonly fields: Fields } }
  /** The names of the fields that people write without a flag. */
  readonly positional?: ReadonlyArray<keyof NoInfer<I> & string>
  readonly clear?: string
  /** The error if an input has only positional fields, so that nothing would change. */
  readonly needs?: string
  readonly output: Schema.Top & Schema.ConstraintCodec<O, J>
  /**
   * Reads the values that the command will change, for the operators' log: as JSON, with null for a missing value.
   */
  readonly before?: (input: NoInfer<I>) => Effect.Effect<unknown, Failure, B>
  readonly run: (input: NoInfer<I>) => Effect.Effect<O, Failure, R>
  readonly lines: (
    output: NoInfer<O>,
    input: NoInfer<I>
  ) => ReadonlyArray<string> | Effect.Effect<ReadonlyArray<string>, Failure, L>
  readonly isDone?: (output: NoInfer<O>) => boolean
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/**
 * @example
 * ```ts
 * import { account, make, wire } from "@watchword/operator/command"
 * import { Store } from "@watchword/store/Store"
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import * as Schema from "effect/Schema"
 *
 * export const exists = make({
 *   name: ["account", "exists"],
 *   description: "Say whether there is an account",
 *   role: "support",
 *   input: wire({ account }),
 *   positional: ["account"],
 *   output: Schema.Struct({ exists: Schema.Boolean }),
 *   run: ({ account }) =>
 *     Store.use((store) => Effect.map(store.account(account), (found) => ({ exists: Option.isSome(found) }))),
 *   lines: ({ exists }) => [exists ? "There is such an account." : "There is no such account."]
 * })
 * ```
 */
export const make = <I extends object, O, J, R, L = never, B = never>({
  before,
  clear,
  input,
  hidden = [],
  isDone = () => true,
  absent = {},
  localFields = [],
  isLogged,
  isWatchable = false,
  lines,
  needs,
  onlyShows = () => false,
  output,
  positional = [],
  run,
  ...described
}: Options<I, O, J, R, L, B>): Command<I, J, R | L | B> => {
  if (isWatchable && described.role !== "support") {
    throw new TypeError(`the command ${described.name.join(" ")} can change data, so it cannot be watched`)
  }
  const decode = Schema.decodeUnknownEffect(input, strict)
  const check = Schema.decodeUnknownEffect(Schema.toType(input), strict)
  const encodeInput = Schema.encodeEffect(input)
  const encode = Schema.encodeEffect(output)
  const places: ReadonlyArray<string> = positional
  const fields = Object.entries(input.to.fields).map(([name, field]) => faceOf(name, field, places.includes(name)))
  const jsonNames = new Map(fields.map(({ json, name }) => [name, json]))
  const inCommand = namesOf(fields, input)
  const changes = isLogged ?? described.role !== "support"
  const keeps = (read: I): boolean => changes && !onlyShows(read)
  const prepare = Effect.fnUntraced(function* (given: unknown) {
    if (fields.length === 0) yield* checkEmpty(given)
    // A value that is decoded further has the name of the program.
    const read = yield* Effect.mapError(decode(given), (error) => inJson(badRequest(error), jsonNames, given))
    if (needs !== undefined && Object.keys(read).length === positional.length) {
      return yield* new BadRequest({ message: needs })
    }
    return { before: before === undefined ? null : before(read), isLogged: keeps(read), run: answered(read) }
  })
  const answered = Effect.fnUntraced(function* (read: I) {
    const output = yield* Effect.mapError(run(read), (error) => inJson(error, jsonNames))
    return {
      json: yield* Effect.orDie(encode(output)),
      lines: Effect.suspend(() => {
        const shown = lines(output, read)
        return Effect.isEffect(shown) ? shown : Effect.succeed(shown)
      }),
      isDone: isDone(output)
    }
  })
  return {
    ...described,
    hidden,
    absent,
    localFields: localFields.map((name) => jsonNames.get(name) ?? name),
    isLogged: changes,
    isWatchable,
    input,
    output,
    fields,
    clear: clear ?? null,
    ask: Effect.fnUntraced(function* (given) {
      if (fields.length === 0) yield* checkEmpty(given)
      const named = yield* Effect.fromResult(inCommand(given))
      const read = yield* Effect.mapError(check(named), (error) => inJson(badRequest(error), jsonNames))
      return {
        input: yield* Effect.mapError(encodeInput(read), (error) => inJson(badRequest(error), jsonNames)),
        before: before === undefined ? null : before(read),
        isLogged: keeps(read),
        run: Effect.mapError(run(read), (error) => inJson(error, jsonNames)).pipe(
          Effect.flatMap((output) => Effect.orDie(encode(output))),
          Effect.map((json) => ({ json }))
        )
      }
    }),
    prepare,
    answer: (given) => Effect.flatMap(prepare(given), ({ run }) => run)
  }
}

/** Effect takes any value for an object without fields. */
const checkEmpty = (given: unknown): Effect.Effect<void, BadRequest> => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return Effect.fail(invalid([{ path: "", message: "must be an object" }]))
  }
  const issues = Object.keys(given).map((path) => ({ path: path.slice(0, 64), message: unknownField(path, []) }))
  return issues.length === 0 ? Effect.void : Effect.fail(invalid(issues.slice(0, 20)))
}

/** Issues of the domain, by the names that fields have in JSON; names that the input has are such. */
const inJson = <E extends Failure>(error: E, names: ReadonlyMap<string, string>, input?: unknown): E | BadRequest => {
  if (!(error instanceof BadRequest) || error.issues === undefined) return error
  const given = typeof input === "object" && input !== null ? input : {}
  const issues = error.issues.map(({ message, path }) => ({
    message,
    path: path.replace(/^\w+/, (name) => (Object.hasOwn(given, name) ? name : (names.get(name) ?? name)))
  }))
  // A message that lists the issues has their names.
  return invalid(error.issues).message === error.message
    ? invalid(issues)
    : new BadRequest({ message: error.message, issues })
}
