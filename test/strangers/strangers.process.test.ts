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
      const refused: Array<{ readonly time: number; readonly question: number; readonly status: number }> = []
      let answered = 0
      try {
        for (let time = 0; time < TIMES; time++) {
          for (const [index, question] of questions.entries()) {
            const status = await question(world)
            if (status === 200) answered += 1
            else refused.push({ time, question: index, status })
          }
        }
      } finally {
        await held.release()
      }
      expect(refused).toEqual([])
      expect(answered).toBe(TIMES * questions.length)
    },
    120_000
  )
})
