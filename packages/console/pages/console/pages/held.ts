/**
 * Rows that come in on top without moving what their reader looks at.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Page, Row } from "./Row.ts"

export interface Held {
  /** Null until there was an answer. */
  readonly rows: ReadonlyArray<Row> | null
  /** Where older ones begin; null at the end of the list. */
  readonly next: string | null
  /** How many wait above the first row. */
  readonly waiting: number
  /** Puts those on top. */
  readonly show: () => void
  /** Adds older ones below. */
  readonly add: (page: Page) => void
}

/** @param newest the newest rows as the server has sent them last */
export const useHeld = (newest: ReadonlyArray<Row> | undefined, newestNext: string | null, isPaused: boolean): Held => {
  const rows = useSignal<ReadonlyArray<Row> | null>(null)
  const next = useSignal<string | null>(null)
  const waiting = useSignal(0)
  const put = (fresh: ReadonlyArray<Row>): void => {
    const older = isReaching(fresh, rows.value) ? rows.value : null
    const known = new Set(fresh.map(({ id }) => id))
    rows.value = [...fresh, ...(older ?? []).filter(({ id }) => !known.has(id))]
    if (older === null) next.value = newestNext
    waiting.value = 0
  }
  useEffect(() => {
    if (newest === undefined) return
    if (rows.value === null || (!isPaused && scrollY === 0)) return put(newest)
    const known = new Set(rows.value.map(({ id }) => id))
    waiting.value = newest.filter(({ id }) => !known.has(id)).length
    if (isPaused) return
    // Rows that are there already continue in their places.
    const changed = new Map(newest.map((row) => [row.id, row]))
    rows.value = rows.value.map((row) => changed.get(row.id) ?? row)
  }, [newest, isPaused])
  return {
    rows: rows.value,
    next: next.value,
    waiting: waiting.value,
    show: () => {
      if (newest !== undefined) put(newest)
      scrollTo(0, 0)
    },
    add: (page) => {
      rows.value = [...(rows.value ?? []), ...page.rows]
      next.value = page.next
    }
  }
}

/** Whether no row is missing between the newest and those that were shown before. */
const isReaching = (newest: ReadonlyArray<Row>, shown: ReadonlyArray<Row> | null): boolean =>
  shown !== null && newest.some(({ id }) => id === shown[0]?.id)
