import { sqlite } from "@watchword/store-sqlite"
import { describe, expect, it } from "vitest"
import { createWatchword } from "watchword"
import { list } from "../../src/commands/ProcessCommand.ts"
import { onSqlite } from "./onSqlite.ts"

const { ask, database, read } = onSqlite()

describe("process list", () => {
  it("lists the processes that serve, and none that has ended", async () => {
    expect(await read(list)).toEqual(["No process is serving on this database."])
    const service = await createWatchword({ store: sqlite(database()) })
    expect(await ask(list)).toEqual({
      processes: [
        {
          process_id: expect.stringMatching(/^0/),
          // Ids of a process never go back: a test with a later clock may have gone before.
          since: expect.stringMatching(/^2\d{3}-.*Z$/),
          lease_until: expect.stringMatching(/^20.*Z$/)
        }
      ]
    })
    expect((await read(list)).at(-1)).toBe("1 process.")
    await service.dispose()
    expect(await ask(list)).toEqual({ processes: [] })
  })
})
