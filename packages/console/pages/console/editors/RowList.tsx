/**
 * Rows that buttons add, remove and move.
 */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "../../kit/Icon.tsx"

export const RowList = <R,>(given: {
  /** The name of a row, such as "Step". */
  readonly one: string
  readonly rows: ReadonlyArray<R>
  readonly change: (rows: ReadonlyArray<R>) => void
  readonly fresh: R
  /** Whether the order means nothing, so that no row is moved. */
  readonly isUnordered?: boolean
  readonly draw: (row: R, set: (row: R) => void) => ComponentChildren
}) => {
  const { change, draw, fresh, isUnordered = false, one, rows } = given
  const list = useRef<HTMLDivElement>(null)
  // Once the rows are drawn, the first of these elements that exists and is not disabled takes the focus.
  const next = useRef<ReadonlyArray<string>>([])
  useLayoutEffect(() => {
    const places = next.current.flatMap((place) => list.current?.querySelector<HTMLElement>(`:scope > ${place}`) ?? [])
    places.find((place) => !place.matches(":disabled"))?.focus()
    next.current = []
  })
  const put = (rows: ReadonlyArray<R>, ...focus: ReadonlyArray<string>): void => {
    next.current = focus
    change(rows)
  }
  const move = (from: number, to: number): void => {
    const others = rows.toSpliced(from, 1)
    const buttons = ["up", "down"].map((way) => `.row:nth-child(${to + 1}) > .moves > .${way}`)
    put(others.toSpliced(to, 0, ...rows.slice(from, from + 1)), ...(to < from ? buttons : buttons.toReversed()))
  }
  return (
    <div class="rows" ref={list}>
      {rows.map((row, index) => (
        <div key={index} class="row" role="group" aria-label={`${one} ${index + 1}`}>
          <div class="cells">{draw(row, (next) => change(rows.with(index, next)))}</div>
          <div class="moves">
            {!isUnordered && (
              <>
                <button
                  type="button"
                  class="round up"
                  aria-label={`Move ${one.toLowerCase()} ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="round down"
                  aria-label={`Move ${one.toLowerCase()} ${index + 1} down`}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </button>
              </>
            )}
            <button
              type="button"
              class="round"
              aria-label={`Remove ${one.toLowerCase()} ${index + 1}`}
              onClick={() => put(rows.toSpliced(index, 1), ".add")}
            >
              <Icon name="cross" />
            </button>
          </div>
        </div>
      ))}
      <button
        type="button"
        class="button small add"
        onClick={() => put([...rows, fresh], ".row:nth-last-child(2) :is(select, input)")}
      >
        Add a {one.toLowerCase()}
      </button>
    </div>
  )
}
