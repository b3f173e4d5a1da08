/**
 * Direct calls: the operations of channels for programs that call them in-process. The same checks as over HTTP,
 * promises out.
 */
import { Access } from "@watchword/api/Access"
import { type Demand, authorize } from "@watchword/auth/Authorize"
import type { Any, Running } from "@watchword/channel/Channels"
import type * as Operation from "@watchword/channel/Operation"
import type { Channel } from "@watchword/channel/Channel"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { ListBody } from "@watchword/pagination/ListBody"
import type { Principal } from "@watchword/schemas/Principal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Keys, sendKeys } from "./Keys.ts"
import { type Caller, principalOf } from "./Principals.ts"

/** One operation as a function. The promise rejects with a `WatchwordError`, whose `code` says which. */
export type Method<O> =
  O extends Operation.Send<infer Input, infer A, infer _E>
    ? (caller: Caller, message: Input, keys?: Keys) => Promise<A>
    : O extends Operation.Body<infer Input, infer A, infer _E>
      ? (caller: Caller, body: Input) => Promise<A>
      : O extends Operation.List<infer A, infer _E>
        ? (caller: Caller, body?: typeof ListBody.Encoded) => Promise<A>
        : O extends Operation.Query<infer Input, infer A, infer _E>
          ? (caller: Caller, parameters?: Input) => Promise<A>
          : O extends Operation.Command<infer A, infer _E>
            ? (caller: Caller) => Promise<A>
            : O extends Operation.Read<infer A, infer _E> | Operation.Change<infer A, infer _E>
              ? (caller: Caller, id: string) => Promise<A>
              : O extends Operation.Update<infer Input, infer A, infer _E>
                ? Updating<Input, A>
                : never

/** The body may be left out where nothing in it is required. */
type Updating<Input, A> = object extends Input
  ? (caller: Caller, id: string, body?: Input) => Promise<A>
  : (caller: Caller, id: string, body: Input) => Promise<A>

/** The direct calls of one channel. */
export type Direct<C> =
  C extends Channel<infer _Name, infer Operations, infer _Gateway, infer _E>
    ? { readonly [Name in keyof Operations]: Method<Operations[Name]> }
    : never

/** The direct calls of channels, by the name of the channel. */
export type Directs<Channels extends ReadonlyArray<Any<unknown>>> = {
  readonly [C in Channels[number] as C["name"]]: Direct<C>
}

type Run = <A, E>(effect: Effect.Effect<A, E, Accounts>) => Promise<A>

type AnyMethod = (caller: Caller, input?: unknown, more?: unknown) => Promise<unknown>

type AnyDirects = Readonly<Record<string, Readonly<Record<string, AnyMethod>>>>

/**
 * @param run runs an effect with the service's own context
 * @param channels whose direct calls are wanted; undefined for none
 */
export const make = <Channels extends ReadonlyArray<Any<unknown>>>(
  run: Run,
  running: ReadonlyArray<Running>,
  channels: Channels | undefined
): Directs<Channels> => {
  const directs: AnyDirects = Object.fromEntries(
    running.map(({ channel, operations }) => [
      channel.name,
      Object.fromEntries(
        Object.entries(operations).map(([name, operation]) => [name, method(run, operation, demandOf(channel, name))])
      )
    ])
  )
  if (!isComplete(directs, channels)) throw new Error("a channel was not started")
  return directs
}

/** What an operation's endpoint demands of its caller. */
const demandOf = ({ group, name }: Any<unknown>, operation: string): Demand => {
  const endpoint = group.endpoints[operation]
  if (endpoint === undefined) throw new Error(`the operation ${operation} of ${name} has no endpoint`)
  return Context.getUnsafe(endpoint.annotations, Access)
}

const method = (run: Run, operation: Operation.Operation, demand: Demand): AnyMethod => {
  const as = <A, E>(caller: Caller, use: (principal: Principal) => Effect.Effect<A, E>): Promise<A> =>
    run(
      Effect.flatMap(principalOf(caller), (principal) => Effect.andThen(authorize(principal, demand), use(principal)))
    )
  switch (operation._tag) {
    case "Send":
      return (caller, body, keys = {}) =>
        as(caller, (principal) => Effect.flatMap(sendKeys(keys), (checked) => operation.run(principal, body, checked)))
    case "Body":
      return (caller, body) => as(caller, (principal) => operation.run(principal, body))
    case "Query":
    case "List":
      return (caller, body = {}) => as(caller, (principal) => operation.run(principal, body))
    case "Command":
      return (caller) => as(caller, (principal) => operation.run(principal))
    case "Read":
    case "Change":
      return (caller, id) => as(caller, (principal) => operation.run(principal, String(id)))
    case "Update":
      return (caller, id, body = {}) => as(caller, (principal) => operation.run(principal, String(id), body))
  }
}

/** Whether each channel has a method for each of its operations; a method takes what its operation takes. */
const isComplete = <Channels extends ReadonlyArray<Any<unknown>>>(
  directs: AnyDirects,
  channels: Channels | undefined
): directs is AnyDirects & Directs<Channels> =>
  (channels ?? []).every(({ group, name }) =>
    Object.keys(group.endpoints).every((key) => directs[name]?.[key] !== undefined)
  )
