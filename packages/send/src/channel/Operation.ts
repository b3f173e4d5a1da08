/**
 * Operations of a channel: each is an endpoint of its HTTP group and a direct call of its service in-process.
 *
 * An operation takes its body as it came and decodes it, so that both ways in check the same. The server and the front
 * door fold over a channel's operations; neither knows any of them by name.
 *
 * @example
 * ```ts
 * import * as Operation from "@watchword/send/channel/Operation"
 * import { ReportSms, SendSms } from "@watchword/schemas/Sms"
 * import type { Service } from "@watchword/sms/Sms"
 *
 * const operations = (sms: Service) => ({
 *   send: Operation.send(SendSms, sms.send),
 *   get: Operation.read(sms.get),
 *   list: Operation.list(sms.list),
 *   report: Operation.body(ReportSms, sms.report)
 * })
 * ```
 */
import { ListBody } from "@watchword/pagination/Page"
import { type BadRequest, areIgnored, badRequest, invalid } from "@watchword/schemas/Errors"
import { readTyped } from "@watchword/schemas/SharedFields"
import type { Principal } from "@watchword/schemas/Account"
import type { RequestKeys } from "../Claims.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Sends something; repeats are recognised by the request's keys. */
export interface Send<out Input, out A, out E> {
  readonly _tag: "Send"
  readonly input: Schema.ConstraintCodec<unknown, Input>
  readonly run: (principal: Principal, body: unknown, keys: RequestKeys) => Effect.Effect<A, E | BadRequest>
}

/** Carries out a body. */
export interface Body<out Input, out A, out E> {
  readonly _tag: "Body"
  readonly input: Schema.ConstraintCodec<unknown, Input>
  readonly run: (principal: Principal, body: unknown) => Effect.Effect<A, E | BadRequest>
}

/** Lists records, without a body the newest; changes nothing. */
export interface List<out A, out E> {
  readonly _tag: "List"
  readonly run: (principal: Principal, body: unknown) => Effect.Effect<A, E | BadRequest>
}

/** Reads by parameters; changes nothing. */
export interface Query<out Input, out A, out E> {
  readonly _tag: "Query"
  readonly input: Schema.ConstraintCodec<unknown, Input>
  readonly run: (principal: Principal, parameters: unknown) => Effect.Effect<A, E | BadRequest>
  /** The same with parameters as a URL has them, each a text. */
  readonly runTexts: (principal: Principal, parameters: unknown) => Effect.Effect<A, E | BadRequest>
}

/** Reads a changing value by parameters: once, or for as long as its client listens. */
export interface Follow<out Input, out A, out E> extends Omit<Query<Input, A, E>, "_tag"> {
  readonly _tag: "Follow"
  /** What `runTexts` would answer, again and again. It fails before it begins, or ends. */
  readonly follow: (principal: Principal, parameters: unknown) => Effect.Effect<Following<A>, E | BadRequest>
}

/** Answers that follow one another. Nothing is kept for it before the first is asked for. */
export interface Following<out A> {
  /** Returns the answer after the one with the id, or the first for null, once there is one; null at the end. */
  readonly after: (id: string | null) => Effect.Effect<{ readonly id: string; readonly answer: A } | null>
  /** Ends it. Asked for once, when no answer is asked for any more. */
  readonly end: Effect.Effect<void>
}

/** Does what needs no more than its caller. */
export interface Command<out A, out E> {
  readonly _tag: "Command"
  readonly run: (principal: Principal) => Effect.Effect<A, E>
}

/** Looks at one record; changes nothing. */
export interface Read<out A, out E> {
  readonly _tag: "Read"
  readonly run: (principal: Principal, id: string) => Effect.Effect<A, E>
}

/** Changes one record. */
export interface Change<out A, out E> {
  readonly _tag: "Change"
  readonly run: (principal: Principal, id: string) => Effect.Effect<A, E>
}

/** Looks at one record by parameters; changes nothing. */
export interface ReadBy<out Input, out A, out E> extends ById<Input, A, E> {
  readonly _tag: "ReadBy"
}

/** Changes one record by parameters. */
export interface ChangeBy<out Input, out A, out E> extends ById<Input, A, E> {
  readonly _tag: "ChangeBy"
}

interface ById<out Input, out A, out E> {
  readonly input: Schema.ConstraintCodec<unknown, Input>
  readonly run: (principal: Principal, id: string, parameters: unknown) => Effect.Effect<A, E | BadRequest>
  /** The same with parameters as a URL has them, each a text. */
  readonly runTexts: (principal: Principal, id: string, parameters: unknown) => Effect.Effect<A, E | BadRequest>
}

/** Changes one record as a body says; without a body it is an empty object. */
export interface Update<out Input, out A, out E> {
  readonly _tag: "Update"
  readonly input: Schema.ConstraintCodec<unknown, Input>
  readonly run: (principal: Principal, id: string, body: unknown) => Effect.Effect<A, E | BadRequest>
}

export type Operation<A = unknown, E = unknown> =
  | Send<unknown, A, E>
  | Body<unknown, A, E>
  | List<A, E>
  | Query<unknown, A, E>
  | Follow<unknown, A, E>
  | Command<A, E>
  | Read<A, E>
  | Change<A, E>
  | ReadBy<unknown, A, E>
  | ChangeBy<unknown, A, E>
  | Update<unknown, A, E>

/** The operations of a channel by the names of their endpoints. */
export type Operations = Readonly<Record<string, Operation>>

const refusing = { errors: "all", onExcessProperty: "error" } as const
const passingOver = { errors: "all", onExcessProperty: "ignore" } as const

/** Decodes a caller's input. A program that calls in-process gets an error for every unknown field. */
const decoder = <B, I>(schema: Schema.ConstraintCodec<B, I>, typed = readTyped(schema)) => {
  const decode = Schema.decodeUnknownEffect(schema)
  const overHttp = areIgnored(schema) ? passingOver : refusing
  return ({ key }: Principal, given: unknown): Effect.Effect<B, BadRequest> => {
    // A body that was left out lacks its fields: "to is required" helps more than the name of its schema.
    const read = typed(given ?? {})
    if ("issue" in read) return Effect.fail(invalid([read.issue]))
    return Effect.mapErrorEager(decode(read.value, key === null ? refusing : overHttp), badRequest)
  }
}

export const send = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, body: B, keys: RequestKeys) => Effect.Effect<A, E>
): Send<I, A, E> => {
  const decode = decoder(input)
  return {
    _tag: "Send",
    input,
    run: (principal, value, keys) => Effect.flatMapEager(decode(principal, value), (body) => run(principal, body, keys))
  }
}

export const body = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, body: B) => Effect.Effect<A, E>
): Body<I, A, E> => {
  const decode = decoder(input)
  return {
    _tag: "Body",
    input,
    run: (principal, value) => Effect.flatMapEager(decode(principal, value), (body) => run(principal, body))
  }
}

/** @param input the body of the list, which says whether unknown fields are passed over */
export const list = <A, E>(
  run: (principal: Principal, body: ListBody) => Effect.Effect<A, E>,
  input: typeof ListBody = ListBody
): List<A, E> => {
  const decode = decoder(input)
  return {
    _tag: "List",
    run: (principal, value) => Effect.flatMapEager(decode(principal, value), (body) => run(principal, body))
  }
}

export const query = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, parameters: B) => Effect.Effect<A, E>
): Query<I, A, E> => {
  const decode = decoder(input)
  const decodeTexts = decoder(Schema.toCodecStringTree(input), readTyped(input))
  return {
    _tag: "Query",
    input,
    run: (principal, value) =>
      Effect.flatMapEager(decode(principal, value), (parameters) => run(principal, parameters)),
    runTexts: (principal, value) =>
      Effect.flatMapEager(decodeTexts(principal, value), (parameters) => run(principal, parameters))
  }
}

export const follow = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, parameters: B) => Effect.Effect<A, E>,
  following: (principal: Principal, parameters: B) => Effect.Effect<Following<A>, E>
): Follow<I, A, E> => {
  const decodeTexts = decoder(Schema.toCodecStringTree(input), readTyped(input))
  return {
    ...query(input, run),
    _tag: "Follow",
    follow: (principal, value) =>
      Effect.flatMapEager(decodeTexts(principal, value), (parameters) => following(principal, parameters))
  }
}

export const command = <A, E>(run: Command<A, E>["run"]): Command<A, E> => ({ _tag: "Command", run })

export const read = <A, E>(run: Read<A, E>["run"]): Read<A, E> => ({ _tag: "Read", run })

export const change = <A, E>(run: Change<A, E>["run"]): Change<A, E> => ({ _tag: "Change", run })

export const readBy = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, id: string, parameters: B) => Effect.Effect<A, E>
): ReadBy<I, A, E> => ({ _tag: "ReadBy", ...byId(input, run) })

export const changeBy = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, id: string, parameters: B) => Effect.Effect<A, E>
): ChangeBy<I, A, E> => ({ _tag: "ChangeBy", ...byId(input, run) })

const byId = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, id: string, parameters: B) => Effect.Effect<A, E>
): ById<I, A, E> => {
  const decode = decoder(input)
  const decodeTexts = decoder(Schema.toCodecStringTree(input), readTyped(input))
  return {
    input,
    run: (principal, id, value) =>
      Effect.flatMapEager(decode(principal, value), (parameters) => run(principal, id, parameters)),
    runTexts: (principal, id, value) =>
      Effect.flatMapEager(decodeTexts(principal, value), (parameters) => run(principal, id, parameters))
  }
}

export const update = <B, I, A, E>(
  input: Schema.ConstraintCodec<B, I>,
  run: (principal: Principal, id: string, body: B) => Effect.Effect<A, E>
): Update<I, A, E> => {
  const decode = decoder(input)
  return {
    _tag: "Update",
    input,
    run: (principal, id, value) => Effect.flatMapEager(decode(principal, value), (body) => run(principal, id, body))
  }
}
