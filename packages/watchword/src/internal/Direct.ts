/**
 * Direct calls: the operations of channels for programs that call them in-process. The same checks as over HTTP,
 * promises out.
 */
import { Access } from "@watchword/api/Access"
import { type Demand, authorize } from "@watchword/auth/Authenticator"
import type { Any, Feature, Running } from "@watchword/send/channel/Features"
import type * as Operation from "@watchword/send/channel/Operation"
import type { Accounts } from "@watchword/ledger/Accounts"
import { type Listing, type Page, listingOf } from "@watchword/client"
import type { ListBody } from "@watchword/pagination/Page"
import type { Principal } from "@watchword/schemas/Account"
import { type ApiError, ServiceUnavailable, isApiError } from "@watchword/schemas/Errors"
import type { ApiRequest } from "@watchword/server/http"
import { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Admitted } from "./Admitted.ts"
import { type Keys, sendKeys } from "./Keys.ts"
import { type Caller, principalOf } from "./Principals.ts"

/** One operation as a function. The promise rejects with a `WatchwordError`, whose `code` says which. */
export type Method<O> =
  O extends Operation.Send<infer Input, infer A, infer _E>
    ? (caller: Caller, message: Input, keys?: Keys) => Promise<A>
    : O extends Operation.Body<infer Input, infer A, infer _E>
      ? (caller: Caller, body: Input) => Promise<A>
      : O extends Operation.List<Page<infer Item>, infer _E>
        ? (caller: Caller, body?: typeof ListBody.Encoded) => Listing<Item>
        : O extends Operation.Query<infer Input, infer A, infer _E> | Operation.Follow<infer Input, infer A, infer _E>
          ? (caller: Caller, parameters?: Input) => Promise<A>
          : O extends Operation.Command<infer A, infer _E>
            ? (caller: Caller) => Promise<A>
            : O extends Operation.Read<infer A, infer _E> | Operation.Change<infer A, infer _E>
              ? (caller: Caller, id: string) => Promise<A>
              : O extends
                    | Operation.Update<infer Input, infer A, infer _E>
                    | Operation.ReadBy<infer Input, infer A, infer _E>
                    | Operation.ChangeBy<infer Input, infer A, infer _E>
                ? Updating<Input, A>
                : never

/** The body, or the parameters, may be left out where nothing in them is required. */
type Updating<Input, A> = object extends Input
  ? (caller: Caller, id: string, body?: Input) => Promise<A>
  : (caller: Caller, id: string, body: Input) => Promise<A>

/** The direct calls of one channel. */
export type Direct<C> =
  C extends Feature<infer _Name, infer Operations, infer _Gateway, infer _E, infer _R>
    ? { readonly [Name in keyof Operations]: Method<Operations[Name]> }
    : never

/** Channels by the property that their direct calls are under. */
export type Named = Readonly<Record<string, Any<unknown>>>

/** The direct calls of channels, under the same properties. */
export type Directs<Channels extends Named> = {
  readonly [P in keyof Channels]: Direct<Channels[P]>
}

/** Direct calls as programs, for a program that runs several at once. They fail with the errors of the interface. */
export type Programs<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (caller: Caller, ...given: infer Given) => PromiseLike<infer A>
    ? (caller: Caller, ...given: Given) => Effect.Effect<A, ApiError, Accounts>
    : never
}

/** The channels of a list, by their names. */
export type ByName<Channels extends ReadonlyArray<Any<unknown>>> = {
  readonly [C in Channels[number] as C["name"]]: C
}

type Run = <A, E>(effect: Effect.Effect<A, E, Accounts>) => Promise<A>

type AnyProgram = (caller: Caller, input?: unknown, more?: unknown) => Effect.Effect<unknown, unknown, Accounts>

type AnyPrograms = Readonly<Record<string, AnyProgram>>

type AnyMethod = (caller: Caller, input?: unknown, more?: unknown) => Promise<unknown>

type AnyDirect = Readonly<Record<string, AnyMethod>>

type AnyDirects = Readonly<Record<string, AnyDirect>>

/** @param run runs an effect with the service's own context */
export const make = <Channels extends Named>(
  run: Run,
  running: ReadonlyArray<Running>,
  channels: Channels
): Directs<Channels> => {
  const directs: AnyDirects = Object.fromEntries(
    Object.entries(channels).map(([property, { name }]) => [property, directOf(run, running, name)])
  )
  if (!isComplete(directs, channels)) throw new Error("a channel was not started")
  return directs
}

/** The direct calls of one channel as programs. */
export const programs = <C extends Any<unknown>>(running: ReadonlyArray<Running>, channel: C): Programs<Direct<C>> => {
  const all: AnyPrograms = Object.fromEntries(
    operationsOf(running, channel.name).map(({ demand, key, operation }) => {
      const program = programOf(operation, demand)
      return [key, (caller, ...given) => Effect.catchEager(program(caller, ...given), inInterface)]
    })
  )
  if (!isWhole(all, channel)) throw new Error("a channel was not started")
  return all
}

/** The failure of a program as an error of the interface. */
const inInterface = (error: unknown): Effect.Effect<never, ApiError> => {
  if (isApiError(error)) return Effect.fail(error)
  return error instanceof StoreError ? Effect.fail(unavailable) : Effect.die(error)
}

const unavailable = new ServiceUnavailable({ message: "The service is unavailable for the moment; try again." })

/** Whether a channel has a program for each of its operations; a program has its operation's input. */
const isWhole = <C extends Any<unknown>>(all: AnyPrograms, { group }: C): all is AnyPrograms & Programs<Direct<C>> =>
  Object.keys(group.endpoints).every((key) => all[key] !== undefined)

const directOf = (run: Run, running: ReadonlyArray<Running>, name: string): AnyDirect => {
  const methods = operationsOf(running, name).map(({ demand, key, operation }) => [key, method(run, operation, demand)])
  return Object.fromEntries(methods)
}

/** The operations of a channel; none if the channel was not started. */
const operationsOf = (running: ReadonlyArray<Running>, name: string) => {
  const started = running.find(({ feature }) => feature.name === name)
  if (started === undefined) return []
  const { feature, operations } = started
  return Object.entries(operations).map(([key, operation]) => ({ key, operation, demand: demandOf(feature, key) }))
}

/** The requirements of an operation's endpoint on its caller. */
const demandOf = ({ group, name }: Any<unknown>, operation: string): Demand => {
  const endpoint = group.endpoints[operation]
  if (endpoint === undefined) throw new Error(`the operation ${operation} of ${name} has no endpoint`)
  return Context.getUnsafe(endpoint.annotations, Access)
}

const method = (run: Run, operation: Operation.Operation, demand: Demand): AnyMethod => {
  const program = programOf(operation, demand)
  if (operation._tag !== "List") return (...args) => run(program(...args))
  return (caller, body) => {
    const { page: first = 1 }: { readonly page?: number } = Object(body)
    return listingOf(
      (page) => run(Effect.map(program(caller, page === first ? body : { ...Object(body), page }), pageIn)),
      first
    )
  }
}

const programOf = (operation: Operation.Operation, demand: Demand): AnyProgram => {
  const as = <A, E>(caller: Caller, use: (principal: Principal) => Effect.Effect<A, E>, body?: unknown) => {
    const answered = Effect.flatMap(principalOf(caller), (principal) =>
      Effect.andThen(authorize(principal, demand), use(principal))
    )
    const request = Admitted.requestOf(caller)
    return request === null ? answered : noting(request, body, answered)
  }
  switch (operation._tag) {
    case "Send":
      return (caller, body, keys = {}) =>
        as(
          caller,
          (principal) => Effect.flatMap(sendKeys(keys), (checked) => operation.run(principal, body, checked)),
          body
        )
    case "Body":
      return (caller, body) => as(caller, (principal) => operation.run(principal, body), body)
    case "List":
    case "Query":
    case "Follow":
      return (caller, body = {}) => as(caller, (principal) => operation.run(principal, body))
    case "Command":
      return (caller) => as(caller, (principal) => operation.run(principal))
    case "Read":
    case "Change":
      return (caller, id) => as(caller, (principal) => operation.run(principal, String(id)))
    case "ReadBy":
    case "ChangeBy":
    case "Update":
      return (caller, id, body = {}) => as(caller, (principal) => operation.run(principal, String(id), body))
  }
}

/** Has the log of refused requests know what a door asks for in its request, and the error behind its answer. */
const noting = <A, E, R>(request: ApiRequest, body: unknown, answered: Effect.Effect<A, E, R>) =>
  Effect.tapError(answered, (error) =>
    Effect.sync(() => {
      if (body !== undefined) request.body = body
      if (isApiError(error)) request.refusal = error
    })
  )

/** The answer of a list's operation, which is a page. */
const pageIn = (answer: unknown): Page<unknown> => Object(answer)

/** Whether each channel has a method for each of its operations; a method takes what its operation takes. */
const isComplete = <Channels extends Named>(
  directs: AnyDirects,
  channels: Channels
): directs is AnyDirects & Directs<Channels> =>
  Object.entries(channels).every(([property, { group }]) =>
    Object.keys(group.endpoints).every((key) => directs[property]?.[key] !== undefined)
  )

/** The channels of a list, by their names. */
export const byName = <const Channels extends ReadonlyArray<Any<unknown>>>(
  channels: Channels | undefined
): ByName<Channels> => {
  const named: Named = Object.fromEntries((channels ?? []).map((channel) => [channel.name, channel]))
  if (!hasEach(named, channels)) throw new Error("a channel has no name")
  return named
}

const hasEach = <Channels extends ReadonlyArray<Any<unknown>>>(
  named: Named,
  channels: Channels | undefined
): named is Named & ByName<Channels> => (channels ?? []).every(({ name }) => named[name] !== undefined)
