import Sqlite from "better-sqlite3"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Rows from "../src/Rows.ts"

/** A row and what happens then. */
const step = fc.record({
  row: fc.tuple(fc.integer(), fc.option(fc.string({ unit: "grapheme" }))),
  next: fc.constantFrom("go on", "go on", "go on", "go on", "write", "forget")
})

it("are written once each, in their order, unless they are forgotten before", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: "max" }), (steps) => {
      const db = new Sqlite(":memory:")
      db.exec("CREATE TABLE things (n INTEGER PRIMARY KEY, number INTEGER, text TEXT)")
      const rows = Rows.make(db, (rows) => `INSERT INTO things (number, text) VALUES ${rows}`, "(? + 1, ?)")
      const written: Array<readonly [number, string | null]> = []
      let kept: typeof written = []
      for (const { row, next } of steps) {
        rows.add(row)
        kept.push(row)
        // That many are written without being told.
        if (kept.length === 16 || next === "write") {
          rows.write()
          written.push(...kept)
          kept = []
        } else if (next === "forget") {
          rows.forget()
          kept = []
        }
      }
      rows.write()
      const read = db.prepare("SELECT number - 1, text FROM things ORDER BY n").raw().all()
      db.close()
      expect(read).toEqual([...written, ...kept])
    })
  )
})
