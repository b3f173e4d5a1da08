/**
 * Signals between processes through NOTIFY: 0.2 ms from one process to another, and lost if a process is not listening
 * at that moment. Listening takes a separate connection, which is opened on first use and reopened when it ends. It
 * leads to the server itself, because a transaction pooler does not pass notifications on.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import type { Signal } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { randomUUID } from "node:crypto"
import type { Client } from "pg"
import type { Connections } from "./Connections.ts"
import { failed } from "./failures.ts"
import * as Hosts from "./Hosts.ts"
import { quote } from "./quote.ts"

/** The number of signals that wait for a handler, and the number handled at a time. */
const WAITING = 1_000
const WORKERS = 16

export interface Signals {
  readonly signal: (signal: Signal) => Effect.Effect<void, StoreError>
  readonly signals: (handle: (signal: Signal) => Effect.Effect<void>) => Effect.Effect<void, StoreError, Scope>
}

export const make = (
  { ask, query }: Connections,
  config: Hosts.Config,
  schema: string
): Effect.Effect<Signals, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        makeListener(config, channelOf(schema), (payload) => query(NOTIFY, [channelOf(schema), payload]))
      ),
      (listener) => Effect.promise(listener.stop)
    ),
    (listener) => ({
      signal: (signal) => Effect.asVoid(ask(NOTIFY, [channelOf(schema), JSON.stringify(signal)])),

      signals: Effect.fnUntraced(function* (handle) {
        // Signals beyond the limit are lost, as they are in a process that is not listening.
        const received = yield* Queue.dropping<Signal>(WAITING)
        const receive = (signal: Signal): void => void Queue.offerUnsafe(received, signal)
        yield* Effect.acquireRelease(listen(listener, receive), () => Effect.sync(() => listener.remove(receive)))
        const one = (signal: Signal) =>
          Effect.catchCause(handle(signal), (cause) => Effect.logError("a signal could not be handled", cause))
        const worker = Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(received), one)))
        yield* Effect.replicateEffect(worker, WORKERS, { discard: true })
      })
    })
  )

const listen = (listener: Listener, receive: (signal: Signal) => void): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: () => listener.add(receive),
    catch: (error) => failed(error).toStoreError()
  })

/** The channel of a schema. PostgreSQL compares the first 63 bytes of names. */
const channelOf = (schema: string): string => `watchword ${schema}`.slice(0, 63)

const NOTIFY = "SELECT pg_notify($1, $2)"

type Listener = ReturnType<typeof makeListener>

/** The pauses between attempts to connect, in milliseconds. */
const PAUSES = [0, 50, 200, 500, 1_000, 2_000]
/** The same with several hosts: a new primary is found within a second. */
const PAUSES_OF_HOSTS = [0, 50, 200, 500]
/** How often the connection is probed, in milliseconds. */
const PROBE_EVERY = 20_000
/** The same with several hosts, because another host may have become the primary. */
const PROBE_HOSTS_EVERY = 2_000
/** In milliseconds: how long a probe may take. */
const PROBED_WITHIN = 5_000
const HOST_PROBED_WITHIN = 2_000

/** @param notify sends a notification on the connections that write */
const makeListener = (config: Hosts.Config, channel: string, notify: (payload: string) => Promise<unknown>) => {
  const [every, within, pauses] =
    config.hosts === null
      ? [PROBE_EVERY, PROBED_WITHIN, PAUSES]
      : [PROBE_HOSTS_EVERY, HOST_PROBED_WITHIN, PAUSES_OF_HOSTS]
  const receivers = new Set<(signal: Signal) => void>()
  let connection: Promise<Client> | null = null
  let probing: NodeJS.Timeout | undefined
  let stopped = false

  const add = async (receive: (signal: Signal) => void): Promise<void> => {
    await (connection ??= connect().catch((error: unknown) => {
      connection = null
      throw error
    }))
    receivers.add(receive)
  }

  const remove = (receive: (signal: Signal) => void): void => void receivers.delete(receive)

  const connect = async (): Promise<Client> => {
    const client = await Hosts.connect({ ...config, query_timeout: within })
    let ended = false
    let isProbed = false
    /** The payload of the last probe, until its notification arrives. */
    let expected: string | null = null
    const end = (): void => {
      if (ended) return
      ended = true
      clearInterval(probing)
      client.end().catch(() => {})
      if (!stopped) connection = reconnect()
    }
    client.on("notification", ({ payload }) => {
      if (payload === expected) expected = null
      const signal = decode(payload ?? "")
      if (Option.isSome(signal)) for (const receive of receivers) receive(signal.value)
    })
    try {
      await client.query(`LISTEN ${quote(channel)}`)
    } catch (error) {
      ended = true
      client.end().catch(() => {})
      throw failed(error)
    }
    client.on("error", end)
    client.on("end", end)
    // A frozen server never answers. A former primary does, but it passes on no notifications from processes that write
    // to another host.
    const probe = async (): Promise<void> => {
      await client.query("SELECT 1")
      if (!(client instanceof Hosts.HostClient)) return
      if (expected !== null) client.leave()
      if (expected !== null || client.isLeft) return end()
      const own = (expected = `probe ${randomUUID()}`)
      await notify(own).catch(() => {
        // Without a primary the probe proves nothing.
        if (expected === own) expected = null
      })
    }
    const probeOnce = async (): Promise<void> => {
      if (isProbed) return
      isProbed = true
      await probe().catch(end)
      isProbed = false
    }
    probing = setInterval(() => void probeOnce(), every)
    probing.unref()
    return client
  }

  const reconnect = async (): Promise<Client> => {
    for (let attempt = 0; ; attempt++) {
      await new Promise((resolve) => {
        setTimeout(resolve, pauses[Math.min(attempt, pauses.length - 1)])
      })
      if (stopped) throw new Error("the store is closed")
      try {
        return await connect()
      } catch {
        // The loop tries again.
      }
    }
  }

  const stop = async (): Promise<void> => {
    stopped = true
    clearInterval(probing)
    const client = await connection?.catch(() => null)
    await client?.end().catch(() => {})
  }

  return { add, remove, stop }
}

const Payload = Schema.fromJsonString(Schema.Struct({ topic: Schema.String, delivery: DeliveryId }))

const decode = Schema.decodeUnknownOption(Payload)
