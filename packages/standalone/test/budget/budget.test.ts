/**
 * How much a live operation may run, from its request to the last word of the carrier: on SQLite, over SMPP or SIP, and
 * with no setting but prices. One operation follows the other. Some are counted together with background work, such as
 * a heartbeat; the least of all is without it.
 *
 * A number that a change lowers is lowered here too. A raised bound needs a reason. `pages` counts the pages of the
 * database's log that the operation writes on its own; operations in one transaction share many pages.
 */
import { expect, it } from "vitest"
import { folderForEach } from "../../../../test/folder.ts"
import type { Counts } from "./counting.ts"
import {
  type Pending,
  type World,
  call,
  check,
  open,
  receiptOfLast,
  resend,
  start,
  startEarlier,
  startReceiving,
  text,
  textWithoutReceipt,
  verification,
  watchedText,
  write
} from "./world.ts"

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
      hashes: 1,
      pages: 23
    }
  },
  // The record of the verification is written in the steps of its text, and only the check has one of its own. The
  // default rules count a start by its prefix and its country, without another page, and an approval after its answer,
  // in a transaction of its own: else a hundred codes that no one enters could not be distinguished from a busy day.
  verification: {
    operate: verification,
    runs: {
      COMMIT: 6,
      BEGIN: 6,
      SELECT: 20,
      INSERT: 28,
      UPDATE: 7,
      DELETE: 4,
      timers: 0,
      immediates: 9,
      fibers: 4,
      hashes: 7,
      pages: 36
    }
  },
  start: {
    operate: start,
    runs: {
      COMMIT: 4,
      BEGIN: 4,
      SELECT: 18,
      INSERT: 21,
      UPDATE: 6,
      DELETE: 2,
      timers: 0,
      immediates: 6,
      fibers: 2,
      hashes: 4,
      pages: 30
    }
  },
  resend: {
    before: startEarlier,
    operate: resend,
    runs: {
      COMMIT: 5,
      BEGIN: 5,
      SELECT: 20,
      INSERT: 16,
      UPDATE: 7,
      DELETE: 2,
      timers: 0,
      immediates: 7,
      fibers: 4,
      hashes: 4,
      pages: 27
    }
  },
  check: {
    before: start,
    operate: check,
    runs: {
      COMMIT: 2,
      BEGIN: 2,
      SELECT: 2,
      INSERT: 7,
      UPDATE: 1,
      DELETE: 2,
      timers: 0,
      immediates: 3,
      fibers: 2,
      hashes: 3,
      pages: 6
    }
  },
  // A text writes two events, and its webhooks are two requests.
  "text with an endpoint": {
    operate: watchedText,
    hasEndpoint: true,
    isAtMost: true,
    runs: {
      COMMIT: 7,
      BEGIN: 7,
      WITH: 6,
      SELECT: 13,
      INSERT: 12,
      UPDATE: 8,
      DELETE: 2,
      timers: 8,
      immediates: 17,
      fibers: 12,
      hashes: 3,
      pages: 37
    }
  },
  receipt: {
    before: textWithoutReceipt,
    operate: receiptOfLast,
    runs: {
      COMMIT: 1,
      BEGIN: 1,
      SELECT: 1,
      INSERT: 4,
      UPDATE: 1,
      DELETE: 2,
      immediates: 2,
      fibers: 1,
      pages: 4
    }
  },
  // A step more than a receipt: the wrong tokens of the sender are looked up.
  "text of a user": {
    before: startReceiving,
    operate: write,
    runs: {
      COMMIT: 3,
      BEGIN: 3,
      SELECT: 4,
      INSERT: 7,
      UPDATE: 1,
      DELETE: 2,
      immediates: 5,
      fibers: 6,
      hashes: 3,
      pages: 6
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
      hashes: 2,
      pages: 23
    }
  }
}

/** An operation, the verification that it begins with, and how often it may run a thing of each kind. */
interface Line {
  readonly before?: (world: World) => Promise<Pending>
  readonly operate: (world: World, pending: Pending) => Promise<unknown>
  readonly hasEndpoint?: boolean
  /** Whether the numbers are upper bounds: the sender of webhooks sometimes shares a step with the send. */
  readonly isAtMost?: boolean
  readonly runs: Readonly<Record<string, number>>
}

const WARM_UP = 5
const TIMES = 21

const { file } = folderForEach()

it.each(Object.entries<Line>(budget))("a %s runs as much as this", async (_, line) => {
  const { runs } = line
  const samples = await samplesOf(line)
  const kinds = [...new Set([...Object.keys(runs), ...samples.flatMap((counts) => Object.keys(counts))])]
  const least = kinds.map((kind) => [kind, Math.min(...samples.map((counts) => totalOf(counts, kind)))] as const)
  const plain = samples.find((counts) => least.every(([kind, total]) => totalOf(counts, kind) === total))
  if (line.isAtMost === true) {
    const over = least.filter(([kind, total]) => total > (runs[kind] ?? 0))
    return expect(over, `One operation ran\n${linesOf(plain ?? samples[0] ?? {})}\n`).toEqual([])
  }
  const needed = Object.fromEntries(least.filter(([kind, total]) => kind in runs || total > 0))
  expect(needed, `One operation ran\n${linesOf(plain ?? samples[0] ?? {})}\n`).toEqual(runs)
})

const samplesOf = async (line: Line): Promise<ReadonlyArray<Counts>> => {
  const world = await open(file("test.db"), line.hasEndpoint === true)
  const samples: Array<Counts> = []
  try {
    for (let done = 0; done < WARM_UP; done++) await countsOf(line, world)
    while (samples.length < TIMES) samples.push(await countsOf(line, world))
  } finally {
    await world.close()
  }
  return samples
}

const countsOf = async ({ before, operate }: Line, world: World): Promise<Counts> => {
  const pending = before === undefined ? { id: null, code: undefined } : await before(world)
  await world.take()
  await operate(world, pending)
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
