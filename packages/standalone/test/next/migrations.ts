/**
 * Migrations of programs to come, for tests: one with which older programs still work, and one after which they must
 * not.
 */
import type { Migration as Postgres } from "../../../../adapters/store-postgres/src/schema.ts"
import type { Migration as Sqlite } from "../../../../adapters/store-sqlite/src/schema.ts"

const steps = process.env["NEXT_PROGRAM"] === "contraction" ? 2 : 1

/** @param released how many migrations today's program has */
export const sqlite = (released: number): ReadonlyArray<Sqlite> =>
  [
    {
      name: "notes",
      sql: "ALTER TABLE deliveries ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; CREATE INDEX deliveries_noted ON deliveries (note)"
    },
    {
      name: "no notes",
      sql: "DROP INDEX deliveries_noted; ALTER TABLE deliveries DROP COLUMN note",
      floor: released + 1
    }
  ].slice(0, steps)

export const postgres = (released: number): ReadonlyArray<Postgres> => [
  {
    _tag: "InTransaction",
    name: "notes",
    sql: (s) => `ALTER TABLE ${s}.deliveries ADD COLUMN note text NOT NULL DEFAULT 'none';
      ALTER TABLE ${s}.accounts ADD COLUMN note text; ALTER TABLE ${s}.counts ADD COLUMN note text`
  },
  {
    _tag: "Indexes",
    name: "index of notes",
    indexes: [{ name: "deliveries_noted", table: "deliveries", definition: "(note)" }]
  },
  ...(steps === 1
    ? []
    : [
        {
          _tag: "InTransaction" as const,
          name: "no notes",
          sql: (s: string) => `ALTER TABLE ${s}.deliveries DROP COLUMN note`,
          floor: released + 1
        }
      ])
]
