import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished } from "vitest"
import { WEEK } from "@watchword/store/sql"
import { expectSoundStore } from "../../../test/stores/sound.ts"
import { TABLES } from "../src/Counts.ts"
import * as BuiltIn from "./builtIn.ts"

export * from "../../../test/stores/fixtures.ts"

/** The name of a file that is removed when the test is over. */
export const temporaryFile = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "store-sqlite-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, "watchword.db")
}

/** Checks the integrity of a file: its ledgers, held amounts, pages and counts. */
export const expectSound = Effect.fnUntraced(function* (filename: string) {
  yield* Effect.provide(expectSoundStore(BuiltIn.snapshots(filename)), ChannelRegistry.layerBuiltIn)
  const db = new Sqlite(filename, { readonly: true })
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok")
  for (const { name, width } of TABLES) {
    const counted = db.prepare(`SELECT partition, bucket, status, n FROM ${name} ORDER BY 1, 2, 3`)
    const there = db.prepare(
      `SELECT partition, listed_at / ${width} AS bucket, status, count(*) AS n FROM deliveries
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
    )
    expect(counted.all()).toEqual(there.all())
  }
  expect(db.prepare(`SELECT count(*) FROM deliveries WHERE week != listed_at / ${WEEK}`).pluck().get()).toBe(0)
  db.close()
})

/** How often the log has started from the beginning, by the checkpoint sequence number in its header. */
export const restartsOf = (filename: string): number => {
  const log = openSync(`${filename}-wal`, "r")
  try {
    const header = Buffer.alloc(16)
    readSync(log, header, 0, header.length, 0)
    return header.readUInt32BE(12)
  } finally {
    closeSync(log)
  }
}
