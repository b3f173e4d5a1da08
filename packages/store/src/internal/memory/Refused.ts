import { firstUlid } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import {
  type FoundRefused,
  type RefusedQuery,
  type RefusedRequest,
  type RefusedStore,
  foundRefused,
  refusedIds
} from "../RefusedStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"

/** The log of refused requests, in the order in which they were added. */
export const make = () => {
  let rows: ReadonlyArray<RefusedRequest> = []

  const add = (more: ReadonlyArray<RefusedRequest>): void => {
    const known = new Set(rows.map(({ id }) => id))
    rows = [...rows, ...more.filter(({ id }) => !known.has(id))]
  }

  const list = (query: RefusedQuery): FoundRefused => {
    const { end, first } = refusedIds(query)
    const all = rows
      .filter(({ account, id }) => id >= first && id < end && (query.account ?? account) === account)
      .toSorted((a, b) => (a.id > b.id ? -1 : 1))
    const looked = all.slice(0, query.reach)
    const last = all.length > looked.length ? (looked.at(-1)?.id ?? null) : null
    return foundRefused(query, looked.filter(meets(query)).slice(0, query.limit), last)
  }

  const prune = ({ before, limit, most }: Parameters<RefusedStore["pruneRefused"]>[0]): number => {
    const end = firstUlid(before)
    const aged = rows.filter(({ id }) => id < end).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const excess = rows.slice(0, Math.max(0, rows.length - most))
    const gone = new Set([...aged.slice(0, limit), ...excess.slice(0, limit)])
    rows = rows.filter((row) => !gone.has(row))
    return gone.size
  }

  const forget = (to: string): void => {
    const number = masked(to)
    rows = rows.map((row) => (row.number === number ? { ...row, number: FORGOTTEN } : row))
  }

  return { add, list, prune, forget }
}

const meets =
  (query: RefusedQuery) =>
  ({ code, mode, operation, status }: RefusedRequest): boolean =>
    (query.mode ?? mode) === mode &&
    (query.status ?? status) === status &&
    (query.code ?? code) === code &&
    (query.operation ?? operation) === operation
