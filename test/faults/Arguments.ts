/**
 * The arguments of `npm run faults`.
 */
import { parseArgs } from "node:util"
import { kindsFor } from "./kinds.ts"

export interface Arguments {
  readonly rounds: number
  /** The first round that is run, so that a batch can be repeated. */
  readonly from: number
  readonly seed: number
  readonly database: "sqlite" | "postgres" | "patroni"
  /** Whether the standbys of a cluster may be behind. */
  readonly asynchronous: boolean
  readonly servers: 1 | 2
  readonly kinds: ReadonlyArray<string>
  /** Rounds on one installation. */
  readonly batch: number
  /** Users in a round. */
  readonly journeys: number
  /** Batches at a time. */
  readonly parallel: number
}

export const USAGE = `npm run faults -- [--rounds=25] [--from=1] [--seed=1] [--database=sqlite|postgres|patroni] [--servers=1|2]
    [--asynchronous] [--only=kind,…] [--batch=12] [--journeys=40] [--parallel=1]`

/** Reads the arguments, or throws an error whose message says what is wrong. */
export const read = (args: ReadonlyArray<string>): Arguments => {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { ...text, default: "25" },
      from: { ...text, default: "1" },
      seed: { ...text, default: "1" },
      database: { ...text, default: "sqlite" },
      asynchronous: { type: "boolean", default: false },
      servers: { ...text, default: "1" },
      only: text,
      batch: { ...text, default: "12" },
      journeys: { ...text, default: "40" },
      parallel: { ...text, default: "1" }
    }
  })
  const { database } = values
  if (database !== "sqlite" && database !== "postgres" && database !== "patroni")
    throw new Error("--database must be sqlite, postgres or patroni")
  const servers = whole("servers", values.servers, 2) === 2 ? 2 : 1
  if (servers === 2 && database === "sqlite") throw new Error("--servers=2 needs --database=postgres")
  if (values.asynchronous && database !== "patroni") throw new Error("--asynchronous needs --database=patroni")
  const all = kindsFor({ database, servers })
  const kinds = values.only?.split(",") ?? all
  const unknown = kinds.find((kind) => !all.includes(kind))
  if (unknown !== undefined) throw new Error(`--only must name some of ${all.join(", ")}; ${unknown} is none of them`)
  return {
    rounds: whole("rounds", values.rounds, 9_999),
    from: whole("from", values.from, 9_999),
    seed: whole("seed", values.seed, 2 ** 31),
    database,
    asynchronous: values.asynchronous,
    servers,
    kinds,
    batch: whole("batch", values.batch, 100),
    journeys: whole("journeys", values.journeys, 5_000),
    parallel: whole("parallel", values.parallel, 8)
  }
}

const whole = (name: string, value: string, most: number): number => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`--${name} must be a number from 1 to ${most}`)
  return number
}
