import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { FINE_WIDTH, WIDTH } from "@watchword/store/sql"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Client } from "pg"
import { expect } from "vitest"
import { expectSoundStore } from "../../../test/stores/sound.ts"

export * from "../../../test/stores/fixtures.ts"

/** Queries the server past the store. */
export const sql = async <Row extends object>(
  url: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Row>> => {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Checks the ledgers, the held money and the counts of a schema. */
export const expectSound = Effect.fnUntraced(function* (
  url: string,
  schema: string,
  registry: Layer.Layer<ChannelRegistry.ChannelRegistry> = ChannelRegistry.layerBuiltIn
) {
  const snapshots = Layer.provide(PostgresStore.snapshots({ url, schema }), registry)
  yield* Effect.provide(expectSoundStore(snapshots), registry)
  const counted = yield* Effect.promise(() =>
    sql(
      url,
      `SELECT account, mode, channel, width, bucket, status, n FROM "${schema}".counts ORDER BY 1, 2, 3, 4, 5, 6`
    )
  )
  const there = yield* Effect.promise(() =>
    sql(
      url,
      `SELECT account, mode, channel, width, (listed_at / width)::integer AS bucket, status, count(*) AS n
       FROM "${schema}".deliveries, (VALUES (${WIDTH}), (${FINE_WIDTH})) w(width)
       GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`
    )
  )
  expect(counted).toEqual(there)
})
