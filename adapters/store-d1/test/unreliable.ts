import { seededRandom } from "@watchword/store/checks"
import type { D1Database } from "@watchword/store-d1"

/** A database whose connection is lost now and then, before a batch happens or after. */
export const unreliable = (db: D1Database): D1Database => {
  const random = seededRandom(1)
  const lose = (): never => {
    throw new Error("D1_ERROR: Network connection lost.")
  }
  return {
    prepare: (sql) => db.prepare(sql),
    batch: async (statements) => {
      if (random.below(30) === 0) lose()
      const results = await db.batch(statements)
      return random.below(30) === 0 ? lose() : results
    }
  }
}
