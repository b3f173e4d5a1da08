import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { D1Store, migrate } from "@watchword/store-d1"
import * as Effect from "effect/Effect"
import type { Miniflare } from "miniflare"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { migrations, written } from "../src/schema.ts"
import { start } from "./workerd.ts"

const folder = new URL("../migrations/", import.meta.url)

const registry = ChannelRegistry.make(ChannelRegistry.builtIn)

describe("the migrations", () => {
  // After a change of schema.ts, `vitest run --update adapters/store-d1` writes the files.
  it("are the files that wrangler applies", async () => {
    for (const [i, migration] of migrations.entries()) {
      await expect(written(migration, i + 1)).toMatchFileSnapshot(fileURLToPath(new URL(migration.name, folder)))
    }
    expect(readdirSync(folder).toSorted()).toEqual(migrations.map(({ name }) => name))
  })

  describe("in D1", () => {
    let worker: Miniflare
    beforeEach(async () => {
      worker = await start("empty.ts")
    })
    afterEach(() => worker.dispose())

    const applied = async () => {
      const db = await worker.getD1Database("DB")
      const { results } = await db.prepare("SELECT name FROM d1_migrations ORDER BY id").all()
      return results.map((row: Record<string, unknown>) => row["name"])
    }

    it("are applied once, by however many at the same time", async () => {
      const db = await worker.getD1Database("DB")
      await Promise.all([migrate(db), migrate(db), migrate(db)])
      await migrate(db)
      expect(await applied()).toEqual(migrations.map(({ name }) => name))
      expect(await Effect.runPromise(D1Store.make(db, registry).accounts)).toEqual([])
    })

    it("that failed leave nothing behind", async () => {
      const db = await worker.getD1Database("DB")
      await db.exec("CREATE TABLE counts (other INTEGER)")
      await expect(migrate(db)).rejects.toThrow("counts already exists")
      expect(await applied()).toEqual([])
      await db.exec("DROP TABLE counts")
      await migrate(db)
      expect(await applied()).toEqual(migrations.map(({ name }) => name))
    })

    it("of a newer program are kept, and refused when they exclude this one", async () => {
      const db = await worker.getD1Database("DB")
      await migrate(db)
      const [next, later] = [migrations.length + 1, migrations.length + 2]
      await db.exec(`INSERT INTO watchword_migrations VALUES (${next}, 'notes', 1)`)
      await migrate(db)
      const { ping } = D1Store.make(db, registry)
      await Effect.runPromise(ping)
      await db.exec(`INSERT INTO watchword_migrations VALUES (${later}, 'no notes', ${next})`)
      const { message } = await Effect.runPromise(Effect.flip(ping))
      expect(message).toContain(`it takes programs of version ${next} or later`)
      await expect(migrate(db)).rejects.toThrow(message)
    })

    it("are asked for when they are missing", async () => {
      const store = D1Store.make(await worker.getD1Database("DB"), registry)
      const error = await Effect.runPromise(Effect.flip(store.ping))
      expect(error.reason).toBe("Unavailable")
      expect(error.message).toContain("apply the migrations of @watchword/store-d1")
    })
  })
})
