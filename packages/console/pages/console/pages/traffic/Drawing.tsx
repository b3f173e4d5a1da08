/**
 * The drawing of a course, in pixels of the page.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { shortCount } from "../../words.ts"
import { type Course, type Drawn, SENT, labelOf, nameOf, valuesAt } from "./course.ts"
import type { Point } from "./figures.ts"
import { dotsOf, labelledOf, pathOf, ticksOf } from "./scale.ts"

interface Given extends Course {
  readonly curves: ReadonlyArray<Drawn>
  /** Of the cursor. */
  readonly place: number | null
  /** Moves the cursor. */
  readonly point: (place: number) => void
}

/** In pixels. */
const LEFT = 56
const RIGHT = 12
const TOP = 10
const HEIGHT = 180
const GAP = 18
const STRIP = 44
const LABELS = 22
const WIDTH_OF_LABEL = 76

export const Drawing = (given: Given) => {
  const { curves, length, measure, place, points } = given
  const frame = useRef<SVGSVGElement>(null)
  const width = useWidth(frame)
  const inner = Math.max(1, width - LEFT - RIGHT)
  const hasStrip = measure.value !== SENT
  const bottom = TOP + HEIGHT + (hasStrip ? GAP + STRIP : 0)
  const x = (at: number): number => LEFT + ((at + 0.5) * inner) / points.length
  const ticks =
    measure.most === undefined
      ? ticksOf(
          curves.flatMap(({ values }) => values),
          measure.step
        )
      : [0, measure.most / 2, measure.most]
  const [lowest = 0] = ticks
  const highest = ticks.at(-1) ?? 1
  const y = (value: number): number => TOP + HEIGHT * (1 - (value - lowest) / (highest - lowest))
  return (
    <>
      <svg
        ref={frame}
        width={width}
        height={bottom + LABELS}
        viewBox={`0 0 ${width} ${bottom + LABELS}`}
        aria-hidden="true"
        onPointerMove={({ clientX, currentTarget }) => {
          const at = (clientX - currentTarget.getBoundingClientRect().left - LEFT) / inner
          given.point(Math.min(points.length - 1, Math.max(0, Math.floor(at * points.length))))
        }}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 8} y={y(tick) + 4} class="end">
              {(measure.onAxis ?? measure.write)(tick)}
            </text>
          </g>
        ))}
        {labelledOf(points.length, inner, WIDTH_OF_LABEL).map((at) => (
          <text key={at} x={x(at)} y={bottom + 16} class="middle">
            {labelOf(points[at]?.at ?? "", length)}
          </text>
        ))}
        {hasStrip && <Strip points={points} x={x} width={(inner / points.length) * 0.8} end={width - RIGHT} />}
        {place !== null && <line class="cursor" x1={x(place)} x2={x(place)} y1={TOP} y2={bottom} />}
        {curves.toReversed().map(({ look, values }) => (
          <g key={look} class={look}>
            <path d={pathOf(values, x, y)} />
            {[...dotsOf(values), ...(place === null ? [] : [place])].map((at) => {
              const value = values[at] ?? null
              return value !== null && <circle key={at} cx={x(at)} cy={y(value)} r={at === place ? 4.5 : 3} />
            })}
          </g>
        ))}
      </svg>
      {place !== null && <Tip {...given} place={place} x={x(place)} width={width} />}
    </>
  )
}

/** How many were sent, as bars with an axis of their own. */
const Strip = (given: {
  readonly points: ReadonlyArray<Point>
  readonly x: (place: number) => number
  readonly width: number
  readonly end: number
}) => {
  const most = Math.max(1, ...given.points.map(({ line }) => line?.sent ?? 0))
  const top = TOP + HEIGHT + GAP
  return (
    <g>
      <text x={LEFT - 8} y={top + 8} class="end">
        {shortCount(most)}
      </text>
      <text x={LEFT - 8} y={top + STRIP + 4} class="end">
        0
      </text>
      {given.points.map(({ at, line }, place) => {
        const height = ((line?.sent ?? 0) / most) * STRIP
        const left = given.x(place) - given.width / 2
        return height > 0 && <rect key={at} x={left} y={top + STRIP - height} width={given.width} height={height} />
      })}
      <line class="grid" x1={LEFT} x2={given.end} y1={top + STRIP} y2={top + STRIP} />
    </g>
  )
}

/** The values at the cursor, next to it. */
const Tip = (given: Given & { readonly place: number; readonly x: number; readonly width: number }) => {
  const { curves, length, place, points, width, x } = given
  const side = x > width / 2 ? { right: `${width - x + 10}px` } : { left: `${x + 10}px` }
  return (
    <dl class="tip" style={side} aria-hidden="true">
      <div>
        <dt>
          <b>{nameOf(points[place]?.at ?? "", length)}</b>
        </dt>
      </div>
      {valuesAt(given, curves, place).map(([look, label, value]) => (
        <div key={look}>
          <dt class={look}>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The width that the page gives to a drawing, in pixels. */
const useWidth = (frame: { readonly current: SVGSVGElement | null }): number => {
  const width = useSignal(320)
  useEffect(() => {
    const around = frame.current?.parentElement
    if (around === null || around === undefined) return
    const measured = (): void => void (width.value = Math.max(240, Math.floor(around.clientWidth)))
    measured()
    const observer = new ResizeObserver(measured)
    observer.observe(around)
    return () => observer.disconnect()
  }, [])
  return width.value
}
