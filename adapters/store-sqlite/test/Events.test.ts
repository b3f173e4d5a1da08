import { EventSql } from "@watchword/store/sql"
import Sqlite from "better-sqlite3"
import { expect, it } from "vitest"
import { migrate } from "../src/migrate.ts"

it("finds what is due by the index of pending events alone", () => {
  const db = new Sqlite(":memory:")
  migrate(db)
  const plan = db.prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${EventSql.mayTake}`)
  const looks = plan.all({ 1: 0, 2: 5, 3: "{}" }).filter(({ detail }) => /(SCAN|SEARCH) (e|t|events)\b/.test(detail))
  expect(looks.length).toBeGreaterThan(3)
  for (const { detail } of looks) expect(detail).toMatch(/USING COVERING INDEX events_pending/)
  db.close()
})
