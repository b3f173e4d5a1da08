/**
 * How much a live operation may run, from its request to the last word of the carrier: on SQLite, over SMPP or SIP, and
 * with no setting but prices. One operation follows the other. Some are counted together with background work, such as
 * a heartbeat; the least of all is without it.
 *
 * A number that a change lowers is lowered here too. A raised bound needs a reason.
 */
import { expect, it } from "vitest"
import { folderForEach } from "../../../../test/folder.ts"
import type { Counts } from "./counting.ts"
import { type World, call, open, text, verification } from "./world.ts"

const budget = {
  text: {
    operate: text,
    runs: {
      COMMIT: 3,
      BEGIN: 3,
      SELECT: 7,
      INSERT: 10,
      UPDATE: 4,
      DELETE: 2,
      timers: 0,
      immediates: 5,
      fibers: 2,
      hashes: 1
    }
  },
  // The record of the verification is written in the steps of its text, and only the check has one of its own.
  verification: {
    operate: verification,
    runs: {
      COMMIT: 5,
      BEGIN: 5,
      SELECT: 17,
      INSERT: 22,
      UPDATE: 7,
      DELETE: 4,
      timers: 0,
      immediates: 8,
      fibers: 4,
      hashes: 5
    }
  },
  call: {
    operate: call,
    runs: {
      COMMIT: 3,
      BEGIN: 3,
      SELECT: 6,
      INSERT: 13,
      UPDATE: 4,
      DELETE: 4,
      timers: 6,
      immediates: 3,
      fibers: 4,
      hashes: 2
    }
  }
}

const WARM_UP = 5
const TIMES = 21

const { file } = folderForEach()

it.each(Object.entries(budget))("a %s runs as much as this", async (_, { operate, runs }) => {
  const samples = await samplesOf(operate)
  const kinds = [...new Set([...Object.keys(runs), ...samples.flatMap((counts) => Object.keys(counts))])]
  const least = kinds.map((kind) => [kind, Math.min(...samples.map((counts) => totalOf(counts, kind)))] as const)
  const plain = samples.find((counts) => least.every(([kind, total]) => totalOf(counts, kind) === total))
  const needed = Object.fromEntries(least.filter(([kind, total]) => kind in runs || total > 0))
  expect(needed, `One operation ran\n${linesOf(plain ?? samples[0] ?? {})}\n`).toEqual(runs)
})

const samplesOf = async (operate: (world: World) => Promise<void>): Promise<ReadonlyArray<Counts>> => {
  const world = await open(file("test.db"))
  const samples: Array<Counts> = []
  try {
    for (let done = 0; done < WARM_UP; done++) await operate(world)
    while (samples.length < TIMES) samples.push(await countsOf(operate, world))
  } finally {
    await world.close()
  }
  return samples
}

const countsOf = async (operate: (world: World) => Promise<void>, world: World): Promise<Counts> => {
  await world.take()
  await operate(world)
  return world.take()
}

const totalOf = (counts: Counts, kind: string): number =>
  Object.values(counts[kind] ?? {}).reduce((sum, count) => sum + count, 0)

const linesOf = (counts: Counts): string =>
  Object.entries(counts)
    .flatMap(([kind, details]) =>
      Object.entries(details).map(([detail, count]) => {
        const line = detail.replaceAll(/\s+/g, " ")
        return `${count} ${line.startsWith(kind) ? line : `${kind} ${line}`}`
      })
    )
    .sort()
    .join("\n")
