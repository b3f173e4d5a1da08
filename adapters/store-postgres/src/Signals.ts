/**
 * Words between processes, by NOTIFY: 0.2 ms from one to another, and lost on those who do not listen at that
 * moment. Listening takes a connection of its own, which is made when first needed and made again when it ends.
 * It must be one to the server itself: behind a pooler of transactions nothing is heard.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import type { Signal } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { Client, type ClientConfig } from "pg"
import type { Connections } from "./Connections.ts"
import { failed, unreachable } from "./failures.ts"
import { quote } from "./migrate.ts"

export interface Signals {
  readonly signal: (signal: Signal) => Effect.Effect<void, StoreError>
  readonly signals: (handle: (signal: Signal) => Effect.Effect<void>) => Effect.Effect<void, StoreError, Scope>
}

export const make = (
  { ask }: Connections,
  config: ClientConfig,
  schema: string
): Effect.Effect<Signals, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeListener(config, channelOf(schema))),
      (listener) => Effect.promise(listener.stop)
    ),
    (listener) => ({
      signal: (signal) => Effect.asVoid(ask("SELECT pg_notify($1, $2)", [channelOf(schema), JSON.stringify(signal)])),

      signals: Effect.fnUntraced(function* (handle) {
        const heard = yield* Queue.unbounded<Signal>()
        const hear = (signal: Signal): void => void Queue.offerUnsafe(heard, signal)
        yield* Effect.acquireRelease(listen(listener, hear), () => Effect.sync(() => listener.remove(hear)))
        const one = (signal: Signal) =>
          Effect.catchCause(handle(signal), (cause) => Effect.logError("a signal could not be handled", cause))
        // One that takes long does not keep the others waiting.
        const each = Effect.flatMap(Queue.take(heard), (signal) => Effect.forkChild(one(signal)))
        yield* Effect.forkScoped(Effect.forever(each))
      })
    })
  )

const listen = (listener: Listener, hear: (signal: Signal) => void): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: () => listener.add(hear),
    catch: (error) => failed(error).toStoreError()
  })

/** At most 63 bytes, by which PostgreSQL tells names apart. */
const channelOf = (schema: string): string => `watchword ${schema}`.slice(0, 63)

type Listener = ReturnType<typeof makeListener>

/** In milliseconds: the pauses before the connection is tried again. */
const PAUSES = [0, 50, 200, 500, 1_000, 2_000]
/** In milliseconds: how often a silent connection is asked whether it is still there. */
const ASKED_EVERY = 20_000

const makeListener = (config: ClientConfig, channel: string) => {
  const ears = new Set<(signal: Signal) => void>()
  let connection: Promise<Client> | null = null
  let asking: NodeJS.Timeout | undefined
  let stopped = false

  const add = async (hear: (signal: Signal) => void): Promise<void> => {
    await (connection ??= connect())
    ears.add(hear)
  }

  const remove = (hear: (signal: Signal) => void): void => void ears.delete(hear)

  const connect = async (): Promise<Client> => {
    const client = new Client(config)
    let over = false
    const end = (): void => {
      if (over) return
      over = true
      clearInterval(asking)
      client.end().catch(() => {})
      if (!stopped) connection = again()
    }
    client.on("notification", ({ payload }) => {
      const signal = decode(payload ?? "")
      if (Option.isSome(signal)) for (const hear of ears) hear(signal.value)
    })
    // A connection that was never made is told to whoever asked for it.
    client.on("error", () => {})
    try {
      await client.connect()
      await client.query(`LISTEN ${quote(channel)}`)
    } catch (error) {
      over = true
      client.end().catch(() => {})
      connection = null
      throw unreachable(error)
    }
    client.on("error", end)
    client.on("end", end)
    asking = setInterval(() => void client.query("SELECT 1").catch(end), ASKED_EVERY)
    asking.unref()
    return client
  }

  const again = async (): Promise<Client> => {
    for (let attempt = 0; ; attempt++) {
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSES[Math.min(attempt, PAUSES.length - 1)])
      })
      if (stopped) throw new Error("the store is closed")
      try {
        return await connect()
      } catch {
        // The next attempt may do better.
      }
    }
  }

  const stop = async (): Promise<void> => {
    stopped = true
    clearInterval(asking)
    const client = await connection?.catch(() => null)
    await client?.end().catch(() => {})
  }

  return { add, remove, stop }
}

const Payload = Schema.fromJsonString(Schema.Struct({ topic: Schema.String, delivery: DeliveryId }))

const decode = Schema.decodeUnknownOption(Payload)
