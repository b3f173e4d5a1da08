import { describe, expect, it } from "vitest"
import { EMPTY, insertRecord, refusal, statusOf } from "@watchword/store/Migrator"

const migrations = [{ name: "tables" }, { name: "notes" }, { name: "no remarks", floor: 2 }]

describe("a database", () => {
  it("that is empty misses all migrations and is refused to no program", () => {
    const status = statusOf(EMPTY, migrations)
    expect(status).toEqual({
      database: 0,
      program: 3,
      floor: 0,
      pending: [
        { version: 1, name: "tables", floor: null },
        { version: 2, name: "notes", floor: null },
        { version: 3, name: "no remarks", floor: 2 }
      ]
    })
    expect(refusal("It", status)).toBeNull()
  })

  it("of a newer version misses nothing, and is refused to programs below its floor alone", () => {
    const newer = { version: 3, floor: 2 }
    const old = statusOf(newer, migrations.slice(0, 2))
    expect([old.pending, refusal("It", old)]).toEqual([[], null])
    expect(refusal("It", statusOf(newer, migrations.slice(0, 1)))?.message).toBe(
      "It was migrated by a newer program: it takes programs of version 2 or later, and this one has version 1."
    )
  })
})

it("a record has the floor of its migration", () => {
  expect(insertRecord(3, { name: "no remarks", floor: 2 })).toBe(
    "INSERT INTO watchword_migrations (version, name, floor) VALUES (3, 'no remarks', 2)"
  )
})
