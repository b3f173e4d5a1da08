import { firstUlid } from "@watchword/schemas/Ids"
import type { Operation, OperationStore } from "../OperationStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"

type Query<Name extends keyof OperationStore> = Parameters<OperationStore[Name]>[0]

/** The operators' log, the oldest first. */
export const make = () => {
  let rows: ReadonlyArray<Operation> = []

  const begin = (operation: Operation): void => {
    if (rows.some(({ id }) => id === operation.id)) return
    rows = [...rows, operation].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  const end = (end: Query<"endOperation">): void => {
    rows = rows.map((row) => (row.id === end.id ? { ...row, ...end } : row))
  }

  const list = ({ before, limit, since }: Query<"operations">): ReadonlyArray<Operation> =>
    rows
      .filter(({ id }) => id >= firstUlid(since) && (before === null || id < before))
      .toReversed()
      .slice(0, limit)

  const prune = ({ before, limit }: Query<"pruneOperations">): number => {
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

export type Operations = ReturnType<typeof make>
