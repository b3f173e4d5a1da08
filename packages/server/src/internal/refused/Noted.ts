/**
 * Refused requests that a process has noted and not written yet. It is bounded, whatever comes: of requests alike, the
 * first ones have rows of their own, and the others are counted in one row.
 */
import { firstUlid, nextUlid } from "@watchword/schemas/Ids"
import type { RefusedRequest } from "@watchword/store/Store"

/** What requests alike have in common. */
export type Kind = Pick<RefusedRequest, "account" | "mode" | "operation" | "status" | "code" | "reason">

/** The fields that only a row of its own has. */
export type Own = Pick<RefusedRequest, "key" | "requestId" | "client" | "number">

interface Counted {
  readonly kind: Kind
  /** How many have rows of their own. */
  rows: number
  /** How many have not, and when the last one was. */
  more: number
  at: number
}

/** The most requests alike that have rows of their own, the most such rows, and the most kinds: between two writes. */
const ALIKE = 10
const ROWS = 1_000
const KINDS = 1_000

/** The most rows that wait for a store that is away. */
const WAITING = 5_000

/** Requests of kinds beyond the bound differ only by their errors. */
const OTHERS = { account: null, mode: null, operation: "any", reason: null } as const

const nothing: Own = { key: null, requestId: null, client: null, number: null }

export const make = () => {
  let rows: Array<RefusedRequest> = []
  const kinds = new Map<string, Counted>()

  const countedOf = (kind: Kind): Counted => {
    const name = nameOf(kind)
    const before = kinds.get(name)
    if (before !== undefined) return before
    if (kinds.size >= KINDS && kind.operation !== OTHERS.operation) return countedOf({ ...kind, ...OTHERS })
    const counted = { kind, rows: 0, more: 0, at: 0 }
    kinds.set(name, counted)
    return counted
  }

  const count = (kind: Kind, at: number, more: number): void => {
    const counted = countedOf(kind)
    counted.more += more
    counted.at = at
  }

  return {
    /** @param ownOf what only a row of its own has */
    note: (kind: Kind, at: number, ownOf: () => Own): void => {
      const counted = countedOf(kind)
      if (counted.rows >= ALIKE || rows.length >= ROWS || counted.kind.operation !== kind.operation) {
        return count(counted.kind, at, 1)
      }
      counted.rows++
      rows.push({ id: idAt(at), ...kind, ...ownOf(), count: 1 })
    },

    /** The rows to write; nothing is noted from then on. */
    take: (): ReadonlyArray<RefusedRequest> => {
      if (kinds.size === 0 && rows.length === 0) return []
      const more = [...kinds.values()].filter((counted) => counted.more > 0)
      const taken = [...rows, ...more.map(({ at, kind, more }) => ({ id: idAt(at), ...kind, ...nothing, count: more }))]
      rows = []
      kinds.clear()
      return taken
    },

    /** Takes rows back that could not be written. */
    restore: (taken: ReadonlyArray<RefusedRequest>, at: number): void => {
      const room = Math.max(0, WAITING - rows.length)
      rows = [...taken.slice(0, room), ...rows]
      for (const row of taken.slice(room)) count(row, at, row.count)
    }
  }
}

const nameOf = ({ account, code, mode, operation, reason, status }: Kind): string =>
  `${account} ${mode} ${status} ${code} ${operation} ${reason}`

/** An id of this very time, even if the process has given ids of a later one: the log is read by time. */
const idAt = (at: number): string => firstUlid(at).slice(0, TIME) + nextUlid(at).slice(TIME)

/** How many characters of a ULID are its time. */
const TIME = 10
