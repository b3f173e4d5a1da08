/**
 * The cost of authenticating a request whose key has been used before and allows a hundred networks, compared with
 * looking up the same key in a bare `Map`. Run with `node bench/auth.ts`.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { AccountId } from "@watchword/schemas/Ids"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { someAccount } from "../test/accounts.ts"

const REQUESTS = 200_000
const ROUNDS = 7
const CLIENTS = 40

const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const allow = Array.from({ length: 100 }, (_, index) => `10.${index}.0.0/16`)

/** A new string for each request, as a host creates it, so that every one has to be hashed. */
const fresh = (text: string): string => Buffer.from(text).toString("latin1")

interface Request {
  readonly apiKey: string
  readonly remoteAddress: string
}

const requests = (secret: string): ReadonlyArray<Request> =>
  Array.from({ length: REQUESTS }, (_, index) => ({
    apiKey: fresh(secret),
    remoteAddress: fresh(`10.99.0.${index % CLIENTS}`)
  }))

/** Nanoseconds per request: the median over several rounds. */
const measure = (secret: string, round: (requests: ReadonlyArray<Request>) => Effect.Effect<void, unknown>) =>
  Effect.gen(function* () {
    const rounds: Array<number> = []
    for (let index = 0; index < ROUNDS; index++) {
      const all = requests(secret)
      const start = process.hrtime.bigint()
      yield* round(all)
      rounds.push(Number(process.hrtime.bigint() - start) / REQUESTS)
    }
    return rounds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  })

const program = Effect.gen(function* () {
  const store = yield* Store
  const authenticator = yield* Authenticator.Authenticator
  const keys = yield* Keys.Keys
  yield* store.createAccount(someAccount({ id: account }))
  const created = yield* keys.create({ account, mode: "live", allow })
  const secret = Redacted.value(created.secret)

  const map = new Map(Array.from({ length: 10_000 }, (_, index) => [`sk_live_${String(index).padStart(43, "0")}`, {}]))
  map.set(secret, {})
  let found = 0
  const bare = yield* measure(secret, (all) =>
    Effect.sync(() => {
      for (const { apiKey } of all) if (map.get(apiKey) !== undefined) found++
    })
  )

  const empty = yield* measure(
    secret,
    Effect.fnUntraced(function* (all) {
      const nothing = Effect.succeed(1)
      for (const _ of all) found += yield* nothing
    })
  )

  const cached = yield* measure(
    secret,
    Effect.fnUntraced(function* (all) {
      for (const { apiKey, remoteAddress } of all) {
        yield* authenticator.authenticate({ apiKey, accountId: account, remoteAddress, accountRequired: true })
      }
    })
  )

  const line = (name: string, ns: number) => console.log(`${name.padEnd(44)}${ns.toFixed(0).padStart(8)} ns`)
  line("bare Map look-up", bare)
  line("an effect that does nothing", empty)
  line("cached key, allow-list of 100 networks", cached)
  console.log(`ratio to the Map look-up: ${(cached / bare).toFixed(1)}`)
})

Effect.runPromise(
  program.pipe(
    Effect.provide(
      Keys.layer.pipe(
        Layer.provideMerge(Authenticator.layer),
        Layer.provideMerge(memory()),
        Layer.provide(ChannelRegistry.layerBuiltIn)
      )
    )
  )
).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
