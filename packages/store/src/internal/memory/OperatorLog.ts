import { firstUlid } from "@watchword/schemas/Ids"
import type { LogEntry, LogStore } from "../LogStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"

type Query<Name extends keyof LogStore> = Parameters<LogStore[Name]>[0]

/** The operators' log, the oldest first. */
export const make = () => {
  let rows: ReadonlyArray<LogEntry> = []

  const begin = (entry: LogEntry): void => {
    if (rows.some(({ id }) => id === entry.id)) return
    rows = [...rows, entry].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  const end = (end: Query<"endLogEntry">): void => {
    rows = rows.map((row) => (row.id === end.id ? { ...row, ...end } : row))
  }

  const list = ({ before, limit, since }: Query<"logEntries">): ReadonlyArray<LogEntry> =>
    rows
      .filter(({ id }) => id >= firstUlid(since) && (before === null || id < before))
      .toReversed()
      .slice(0, limit)

  const prune = ({ before, limit }: Query<"pruneLogEntries">): number => {
    const old = new Set(
      rows
        .map(({ id }) => id)
        .filter((id) => id < firstUlid(before))
        .slice(0, limit)
    )
    rows = rows.filter(({ id }) => !old.has(id))
    return old.size
  }

  const forget = (to: string): void => {
    rows = rows.map((row) => ({
      ...row,
      input: row.input.replaceAll(to, FORGOTTEN),
      output: row.output?.replaceAll(to, FORGOTTEN) ?? null
    }))
  }

  return { begin, end, list, prune, forget }
}
