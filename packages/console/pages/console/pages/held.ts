/**
 * Rows that are added on top without moving the rows that the reader looks at.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Page, Row } from "./Row.ts"

export interface Held {
  /** Null before the first answer. */
  readonly rows: ReadonlyArray<Row> | null
  /** Where older rows begin; null at the end of the list. */
  readonly next: string | null
  /** How many rows wait above the first row. */
  readonly waiting: number
  /** Shows the waiting rows on top. */
  readonly show: () => void
  /** Adds older rows below. */
  readonly add: (page: Page) => void
}

/** @param newest the newest rows, as the server last sent them */
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
    // Rows that are already shown keep their places.
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

/** Whether the newest rows reach the rows that were shown before, so that no row is missing in between. */
const isReaching = (newest: ReadonlyArray<Row>, shown: ReadonlyArray<Row> | null): boolean =>
  shown !== null && newest.some(({ id }) => id === shown[0]?.id)
