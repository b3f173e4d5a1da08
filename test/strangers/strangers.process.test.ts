import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cases } from "./cases.ts"
import { type World, open } from "./World.ts"

const TIMES = 40

let world: World

beforeAll(async () => {
  world = await open({ LOG_LEVEL: "debug" })
})

afterAll(() => world.close())

describe("one party that takes all it can of", () => {
  it.each(cases)(
    "$name stops no other",
    async ({ hold, questions }) => {
      const held = await hold(world)
      const statuses = new Map<number, number>()
      const asked = TIMES * questions.length
      try {
        for (let time = 0; time < TIMES; time++) {
          for (const question of questions) {
            const status = await question(world)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        }
      } finally {
        await held.release()
      }
      expect(statuses).toEqual(new Map([[200, asked]]))
    },
    120_000
  )
})
