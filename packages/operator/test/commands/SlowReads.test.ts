import { DeliveryId, firstUlid, nextUlid } from "@watchword/schemas/Ids"
import type { AnyCommand } from "../../src/command/Command.ts"
import { Asker } from "../../src/command/SlowReads.ts"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { type Service, Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { setImmediate as turnOf } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import type { Described } from "@watchword/send/channel/Features"
import { builtInChannels } from "watchword/Hosting"
import { list } from "../../src/commands/DeliveryCommands.ts"
import { overview } from "../../src/commands/OverviewCommand.ts"
import { invoice, rebuild } from "../../src/commands/TrafficCommands.ts"
import { folderForEach } from "../../../../test/folder.ts"
import { accountFor, opening } from "../../../../test/stores/fixtures.ts"

const { file } = folderForEach()
const ending: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

const HOUR = 3_600_000

const stores = {
  SQLite: () => Layer.provide(sqlite(file("watchword.db")), ChannelRegistry.layerBuiltIn),
  memory
}

type Needs = ChannelRegistry.ChannelRegistry | Described | Settings.Settings | Store

/** A store with records of some hours ago, and the looks that it is asked for, by the turn of the event loop. */
const filled = async (name: keyof typeof stores, records = 12_000) => {
  const kept = Layer.provideMerge(stores[name](), builtInChannels)
  const runtime = ManagedRuntime.make(Layer.provideMerge(Settings.layer, kept))
  ending.push(() => runtime.dispose())
  const run = <A, E>(program: Effect.Effect<A, E, Needs>) => runtime.runPromise(program)
  const account = await run(accountFor(99_999))
  const at = Date.now() - 3 * HOUR
  const store = await run(Store)
  const send = (createdAt: number) =>
    store.open({
      ...opening(account, { id: idAt(createdAt) }),
      at: createdAt,
      close: { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [], details: {} }
    })
  await run(Effect.forEach(Array.from({ length: records }), (_, n) => send(at + n), { concurrency: 500 }))
  let turn = 0
  const looks: Array<number> = []
  const askers: Array<string | null> = []
  /** What searches know of the counts, by their looks. */
  const many: Array<boolean> = []
  const counted =
    <Q, A, E>(read: (query: Q) => Effect.Effect<A, E>) =>
    (query: Q) =>
      Effect.flatMap(Asker, (asker) => {
        looks.push(turn)
        askers.push(asker)
        return read(query)
      })
  const watched: Service = {
    ...store,
    deliveriesBefore: counted(store.deliveriesBefore),
    newestDeliveries: counted((query) => {
      many.push(query.many)
      return store.newestDeliveries(query)
    }),
    eventBacklog: counted(store.eventBacklog)
  }
  const ask = (command: AnyCommand<Needs>, input: object, asker: string | null = null) =>
    run(
      command.answer(input).pipe(
        Effect.map(({ json }) => json),
        Effect.provideService(Store, watched),
        Effect.provideService(Asker, asker)
      )
    )
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  ending.push(async () => void (isOver = true))
  return { ask, askers, looks, many, send: () => run(send(Date.now())) }
}

/** A process makes no id of an earlier time than its last one. */
const idAt = (at: number) => DeliveryId.make(firstUlid(at).slice(0, 10) + nextUlid(at).slice(10))

const month = new Date(Date.now() - 3 * HOUR).toISOString().slice(0, 7)
const since = new Date(Date.now() - 24 * HOUR).toISOString()

const reads = [
  ["invoice", invoice, { carrier: "sms", month }],
  ["traffic rebuild", rebuild, { since }],
  ["delivery list", list, { carrier: "nope" }]
] as const

describe.each(["SQLite", "memory"] as const)("slow reads on %s", (name) => {
  it.each(reads)("%s looks once in a turn of the event loop, however many ask", async (_, command, input) => {
    const { ask, looks } = await filled(name)
    await Promise.all(Array.from({ length: 4 }, (_, n) => ask(command, input, `operator ${n}`)))
    expect(looks.length).toBeGreaterThan(4 * 6)
    expect(new Set(looks).size).toBe(looks.length)
  })

  it("overview looks once in a turn of the event loop, however many ask", async () => {
    const { ask, looks } = await filled(name, 10)
    await Promise.all(Array.from({ length: 4 }, (_, n) => ask(overview, {}, `operator ${n}`)))
    expect(looks).toHaveLength(4)
    expect(new Set(looks).size).toBe(4)
  })

  it.each(reads)("sends go on while %s looks", async (_, command, input) => {
    const { ask, looks, send } = await filled(name)
    const state = { isOver: false }
    const asked = ask(command, input).finally(() => (state.isOver = true))
    const seen: Array<number> = []
    while (!state.isOver || seen.length === 0) {
      await send()
      await turnOf()
      seen.push(looks.length)
    }
    await asked
    expect(new Set(seen).size).toBeGreaterThan(1)
  })
})

describe("a search that finds nothing", () => {
  it("has counts asked once", async () => {
    const { ask, many } = await filled("SQLite")
    await ask(list, { carrier: "nope" })
    expect(many.length).toBeGreaterThan(6)
    expect(many.indexOf(true)).toBe(1)
    expect(many.lastIndexOf(false)).toBe(0)
  })
})

describe("slow reads of two operators", () => {
  it("take turns", async () => {
    const { ask, askers } = await filled("SQLite")
    await Promise.all([ask(list, { carrier: "nope" }, "anna"), ask(invoice, { carrier: "sms", month }, "bob")])
    const last = { anna: askers.lastIndexOf("anna"), bob: askers.indexOf("bob") }
    expect(last.bob).toBeLessThan(2)
    expect(askers.slice(0, last.anna).filter((asker) => asker === "bob").length).toBeGreaterThan(3)
  })
})

describe("slow reads of one operator", () => {
  it.each(reads)("%s is under way twice at most, and those of another go on", async (_, command, input) => {
    const { ask } = await filled("memory", 30_000)
    const of = (asker: string) => Array.from({ length: 5 }, () => ask(command, input, asker))
    const [anna, bob] = await Promise.all([Promise.allSettled(of("anna")), Promise.allSettled(of("bob"))])
    for (const asked of [anna, bob]) {
      expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
      const refused = asked.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
      expect(refused[0]).toMatchObject({ code: "TOO_MANY_REQUESTS", reason: "too_many_reads", retryAfter: 5 })
    }
    await expect(ask(command, input, "anna")).resolves.toBeDefined()
  })
})
