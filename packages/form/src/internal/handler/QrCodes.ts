/**
 * QR codes of links, without the markup: the form draws them where a strict policy allows no image and no markup.
 */
import type { QrCode } from "../Wire.ts"

/** The side of a module in the service's drawing. */
const MODULE = 10

/** Reads the black modules of an SVG as the service draws it, and joins neighbours; null for any other drawing. */
export const qrCodeOf = (svg: string): QrCode | null => {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1] ?? 0) / MODULE
  const modules = [...svg.matchAll(/M(\d+),(\d+)h10v10h-10z/g)].map(([, x, y]) => [
    Number(x) / MODULE,
    Number(y) / MODULE
  ])
  if (size === 0 || modules.length === 0) return null
  const rows = new Map<number, Array<number>>()
  for (const [x = 0, y = 0] of modules) rows.set(y, [...(rows.get(y) ?? []), x])
  return {
    size,
    path: [...rows]
      .map(([y, xs]) =>
        runsOf(xs.sort((a, b) => a - b))
          .map(drawn(y))
          .join("")
      )
      .join("")
  }
}

interface Run {
  readonly from: number
  readonly length: number
}

const runsOf = (sorted: ReadonlyArray<number>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const x of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && last.from + last.length === x)
      runs[runs.length - 1] = { ...last, length: last.length + 1 }
    else runs.push({ from: x, length: 1 })
  }
  return runs
}

const drawn =
  (y: number) =>
  ({ from, length }: Run): string =>
    `M${from} ${y}h${length}v1h-${length}z`
