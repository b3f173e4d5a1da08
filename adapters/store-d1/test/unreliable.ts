import * as Chance from "@watchword/store/conformance/Chance"
import type { D1Database } from "@watchword/store-d1"

/** A database whose connection is lost now and then, before a batch happens or after. */
export const unreliable = (db: D1Database): D1Database => {
  const chance = Chance.make(1)
  const lose = (): never => {
    throw new Error("D1_ERROR: Network connection lost.")
  }
  return {
    prepare: (sql) => db.prepare(sql),
    batch: async (statements) => {
      if (chance.below(30) === 0) lose()
      const results = await db.batch(statements)
      return chance.below(30) === 0 ? lose() : results
    }
  }
}
