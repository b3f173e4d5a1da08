/**
 * Commands on an SQLite file of each test, as faces without types call them.
 */
import type * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type AccountId, DeliveryId, firstUlid, nextUlid } from "@watchword/schemas/Ids"
import * as Settings from "@watchword/store/Settings"
import type { Failure } from "../../src/command/Command.ts"
import { type Open, Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterEach, beforeEach } from "vitest"
import type { Described } from "@watchword/send/channel/Features"
import { builtInChannels } from "watchword/Hosting"
import { folderForEach } from "../../../../test/folder.ts"
import { opening } from "../../../../test/stores/fixtures.ts"

export type OnSqlite = ChannelRegistry.ChannelRegistry | Described | Store | Settings.Settings

export const onSqlite = () => {
  const { file } = folderForEach()
  let runtime: ManagedRuntime.ManagedRuntime<OnSqlite, unknown>
  const database = () => file("watchword.db")
  beforeEach(() => {
    runtime = ManagedRuntime.make(
      Settings.layer.pipe(Layer.provideMerge(sqlite(database())), Layer.provideMerge(builtInChannels))
    )
  })
  afterEach(() => runtime.dispose())
  return {
    database,
    run: <A>(program: Effect.Effect<A, unknown, OnSqlite>): Promise<A> => runtime.runPromise(program),
    /** The answer of a command in JSON. */
    ask: (
      { answer }: { readonly answer: (input: unknown) => Effect.Effect<{ readonly json: unknown }, Failure, OnSqlite> },
      input: object = {}
    ): Promise<unknown> => runtime.runPromise(Effect.map(answer(input), ({ json }) => json)),
    /** The same for people. */
    read: (
      {
        answer
      }: {
        readonly answer: (
          input: unknown
        ) => Effect.Effect<
          { readonly lines: Effect.Effect<ReadonlyArray<string>, Failure, OnSqlite> },
          Failure,
          OnSqlite
        >
      },
      input: object = {}
    ): Promise<ReadonlyArray<string>> => runtime.runPromise(Effect.flatMap(answer(input), ({ lines }) => lines))
  }
}

/** A send so many seconds ago, whose outcome is known unless it is said otherwise. */
export const sent = Effect.fnUntraced(function* (
  account: AccountId,
  ago: number,
  fields: Partial<Open["delivery"]> = {},
  close: Partial<NonNullable<Open["close"]>> = {}
) {
  const store = yield* Store
  const at = Date.now() - ago * 1000
  // A process makes no id of an earlier time than its last one.
  const id = DeliveryId.make(firstUlid(at).slice(0, 10) + nextUlid(at).slice(10))
  yield* store.open({
    ...opening(account, { id, ...fields }),
    at,
    close: { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [id], details: {}, ...close }
  })
  return id
})
