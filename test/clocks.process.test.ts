/**
 * Two services on one PostgreSQL database whose clocks differ.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { Heartbeat, heartbeatLayer, makeReconciler } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, start } from "./PostgresServer.ts"
import { accountFor, find, opening } from "./stores/fixtures.ts"
import { whatIsSet } from "./whatIsSet.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

/** The clock of a server that is so many seconds ahead. */
const ahead =
  (seconds: number) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + seconds * 1000
      const skewed: Clock.Clock = {
        ...clock,
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
        sleep: (duration) => clock.sleep(duration)
      }
      return Effect.provideService(program, Clock.Clock, skewed)
    })

const stored = (schema: string) =>
  Layer.provideMerge(PostgresStore.layer({ url: server.url, schema }), ChannelRegistry.layerBuiltIn)

describe.each([-20, 20])("a server whose clock is %i seconds ahead of another's", (seconds) => {
  const onStore = <A, E>(program: Effect.Effect<A, E, ChannelRegistry.ChannelRegistry | Store>) =>
    Effect.provide(program, Layer.fresh(stored(`ahead${seconds + 20}`)))

  it("leaves alone what the other has under way, and takes over when it has ended", async () => {
    const program = Effect.gen(function* () {
      const account = yield* accountFor(1)
      const store = yield* Store
      const living = yield* Effect.scopedWith((scope) =>
        Effect.gen(function* () {
          const { process } = yield* Effect.provideContext(
            Heartbeat,
            yield* Layer.buildWithScope(heartbeatLayer, scope)
          )
          const { delivery } = { ...opening(account) }
          const at = yield* Clock.currentTimeMillis
          yield* store.open({ delivery, claims: [], owner: process, at })
          yield* reconciled
          return { delivery, phase: yield* phaseOf(account, delivery.id) }
        })
      )
      expect(living.phase).toBe("pending")
      yield* reconciled
      expect(yield* phaseOf(account, living.delivery.id)).toBe("unknown")
    })
    await Effect.runPromise(onStore(program))
  })

  /** A pass of the other server, at its start. */
  const reconciled = Effect.suspend(() =>
    onStore(Effect.scoped(Effect.provide(makeReconciler({ failed: {} }), [heartbeatLayer, whatIsSet])))
  ).pipe(ahead(seconds))

  const phaseOf = (...key: Parameters<typeof find>) =>
    Effect.map(find(...key), (found) => Option.getOrThrow(found).phase)
})

describe.each([-600, 600])("a service whose clock is %i seconds ahead of another's", (seconds) => {
  const service = Effect.suspend(() =>
    Keys.layer.pipe(
      Layer.provideMerge(Authenticator.layer),
      Layer.provideMerge(stored(`keys${seconds + 600}`)),
      Layer.fresh,
      Layer.build
    )
  )

  /** A key that one service knows, what that one says of it, and the way to the other service. */
  const known = Effect.gen(function* () {
    const here = yield* service
    const there = yield* ahead(seconds)(service)
    const { account, key, secret } = yield* Effect.gen(function* () {
      const account = yield* accountFor(1)
      const keys = yield* Keys.Keys
      return { account, ...(yield* keys.create({ account, mode: "live" })) }
    }).pipe(Effect.provideContext(here))
    const credentials = {
      apiKey: Redacted.value(secret),
      accountId: account,
      remoteAddress: null,
      accountRequired: true
    }
    const answer = Authenticator.Authenticator.use((authenticator) => authenticator.authenticate(credentials)).pipe(
      Effect.match({
        onFailure: ({ _tag }) => _tag,
        onSuccess: (principal) => (principal.account.suspendedAt === null ? "allowed" : "suspended")
      }),
      Effect.provideContext(here)
    )
    const inOther = <A, E>(program: Effect.Effect<A, E, Store | Keys.Keys>) =>
      ahead(seconds)(Effect.provideContext(program, there))
    expect(yield* answer).toBe("allowed")
    const changed = Effect.repeat(Effect.delay(answer, 100), { until: (said) => said !== "allowed" })
    return { account, key, inOther, changed }
  })

  it("refuses a key that the other has revoked, before it would look it up again", async () => {
    const program = Effect.gen(function* () {
      const { changed, inOther, key } = yield* known
      yield* inOther(Keys.Keys.use((keys) => keys.revoke(key.id)))
      expect(yield* changed).toBe("UNAUTHORIZED")
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("hears that the other has suspended an account, before it would look it up again", async () => {
    const program = Effect.gen(function* () {
      const { account, changed, inOther } = yield* known
      yield* inOther(Store.use((store) => store.changeAccount({ account, suspended: true })))
      expect(yield* changed).toBe("suspended")
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})
