/**
 * The values of one field, of all records of a block or of several blocks together, as they are written.
 *
 * | of | | `tally` | `texts` | `span` | `data` |
 * |---|---|---|---|---|---|
 * | a block | few values | each with how many have it | | | the place in the tally of what each record has; nothing where there is one value |
 * | a block | many texts | | all | | the place among the texts of what each record has |
 * | a block | many numbers | | | the least, the greatest, how many | what each record has |
 * | several | few values | each with how many have it | | | |
 * | several | many texts | | | | |
 * | several | many numbers | | | the least, the greatest, how many | spans that make this one, after another |
 */
import type { Scalar } from "@watchword/pagination/Query"
import type { Shape } from "./Shape.ts"
import type { Test } from "./Test.ts"

export interface Column {
  /** JSON, as `texts` and `span`. */
  readonly tally: string | null
  readonly texts: string | null
  readonly span: string | null
  readonly data: Uint8Array | null
}

type Tally = ReadonlyArray<readonly [value: Scalar, count: number]>

/** What is known of many texts. */
export const NOTHING: Column = { tally: null, texts: null, span: null, data: null }

export const isNothing = ({ data, tally }: Column): boolean => tally === null && data === null

/** The values of a block's records, in the order of the records. */
export const ofValues = (values: ReadonlyArray<Scalar>, { few }: Pick<Shape, "few">): Column => {
  const codes = new Map<Scalar, number>()
  const counts: Array<number> = []
  const coded = values.map((value) => {
    const known = codes.get(value)
    const code = known ?? counts.length
    if (known === undefined) {
      codes.set(value, code)
      counts.push(0)
    }
    counts[code] = (counts[code] ?? 0) + 1
    return code
  })
  if (counts.length > few.inBlock) {
    const numbers = values.filter((value) => typeof value === "number")
    if (numbers.length === values.length) return { ...ofNumbers(numbers), span: JSON.stringify(spanOf(numbers)) }
  }
  const different = [...codes.keys()]
  const data = different.length === 1 ? null : bytes(codesOf(coded, different.length))
  return different.length > few.inBlock
    ? { ...NOTHING, texts: JSON.stringify(different), data }
    : { ...NOTHING, tally: JSON.stringify(different.map((value, code) => [value, counts[code]])), data }
}

/** A number for each record, as a column. */
export const ofNumbers = (numbers: ReadonlyArray<number>): Column => ({
  ...NOTHING,
  data: bytes(Float64Array.from(numbers))
})

/** The numbers of a column of numbers. */
export const numbersOf = ({ data }: Column): Float64Array => new Float64Array(aligned(data ?? new Uint8Array(0)))

/** The memory of numbers: what comes from the database may begin anywhere in its own, and numbers may not. */
export const aligned = ({ buffer, byteLength, byteOffset }: Uint8Array): ArrayBufferLike =>
  byteOffset === 0 && byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)

const bytes = ({ buffer, byteLength, byteOffset }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const parseTally = (tally: string): Tally => JSON.parse(tally)
const parseSpan = (span: string): Span => JSON.parse(span)
const parseTexts = (texts: string): ReadonlyArray<Scalar> => JSON.parse(texts)

/** The different values of a block. */
export const valuesOf = (column: Column): ReadonlyArray<Scalar> => {
  const { tally, texts } = column
  if (tally !== null) return parseTally(tally).map(([value]) => value)
  return texts === null ? [...new Set(numbersOf(column))] : parseTexts(texts)
}

/** How many records pass a test, as far as that can be told without `data`. */
export const countAtFirstSight = ({ span, tally, texts }: Column, test: Test): number | null => {
  if (tally !== null) return countInTally(tally, test)
  if (texts !== null) return mayHave(texts, test) ? null : 0
  if (span === null) return null
  const [low, high, count] = parseSpan(span)
  const part = test.span(low, high)
  return part === "some" ? null : part === "all" ? count : 0
}

/** How many records of a block pass a test. */
export const countInBlock = (column: Column, test: Test): number => {
  const { data, tally, texts } = column
  if (tally !== null) return countInTally(tally, test)
  if (texts === null) return count(numbersOf(column), test.admitsNumber)
  const admitted = parseTexts(texts).map(test.admits)
  return count(codesIn(data, admitted.length), (code) => admitted[code] === true)
}

const count = (numbers: Iterable<number>, is: (number: number) => boolean): number => {
  let sum = 0
  for (const number of numbers) if (is(number)) sum += 1
  return sum
}

/** How many records of several blocks pass a test, or null where only the blocks know. */
export const countInAll = (column: Column, test: Test): number | null => {
  if (column.tally !== null) return countInTally(column.tally, test)
  if (column.data === null) return null
  const spans = numbersOf(column)
  let count = 0
  for (let at = 0; at < spans.length; at += 3) {
    const part = test.span(spans[at] ?? 0, spans[at + 1] ?? 0)
    if (part === "some") return null
    if (part === "all") count += spans[at + 2] ?? 0
  }
  return count
}

const countInTally = (tally: string, test: Test): number => {
  if (!mayHave(tally, test)) return 0
  let sum = 0
  for (const [value, count] of parseTally(tally)) if (test.admits(value)) sum += count
  return sum
}

/** What is longer is looked through as text before it is taken apart. */
const LONG = 500

const mayHave = (json: string, { named }: Test): boolean =>
  named === null || json.length < LONG || named.some((value) => json.includes(JSON.stringify(value)))

/** The places within a block of the records that pass a test, in order. */
export const placesIn = (column: Column, size: number, test: Test): Array<number> => {
  const { data, tally, texts } = column
  if (tally === null && texts === null) return placesOf(numbersOf(column), test.admitsNumber)
  const admitted = valuesOf(column).map(test.admits)
  if (data === null) return admitted[0] === true ? Array.from({ length: size }, (_, place) => place) : []
  return placesOf(codesIn(data, admitted.length), (code) => admitted[code] === true)
}

const placesOf = (numbers: ArrayLike<number>, is: (number: number) => boolean): Array<number> => {
  const places: Array<number> = []
  for (let place = 0; place < numbers.length; place++) if (is(numbers[place] ?? 0)) places.push(place)
  return places
}

type Codes = Uint8Array | Uint16Array | Uint32Array

const codesOf = (codes: ReadonlyArray<number>, different: number): Codes => {
  if (different <= 0x100) return Uint8Array.from(codes)
  return different <= 0x10000 ? Uint16Array.from(codes) : Uint32Array.from(codes)
}

const codesIn = (data: Uint8Array | null, different: number): Codes => {
  if (data === null || different <= 0x100) return data ?? new Uint8Array(0)
  return different <= 0x10000 ? new Uint16Array(aligned(data)) : new Uint32Array(aligned(data))
}

/** What several columns of blocks, or of several blocks each, are together. */
export const merged = (
  columns: ReadonlyArray<Column>,
  of: "blocks" | "several",
  { few, spans }: Pick<Shape, "few" | "spans">
): Column => mergedTallies(columns, few.inAll) ?? mergedSpans(columns, of, spans) ?? NOTHING

const mergedTallies = (columns: ReadonlyArray<Column>, few: number): Column | null => {
  const counts = new Map<Scalar, number>()
  for (const column of columns) {
    const tally = column.tally === null ? tallyOf(column) : parseTally(column.tally)
    if (tally === null) return null
    for (const [value, count] of tally) counts.set(value, (counts.get(value) ?? 0) + count)
    if (counts.size > few) return null
  }
  return { ...NOTHING, tally: JSON.stringify([...counts]) }
}

/** The tally of a block that has many texts. */
const tallyOf = ({ data, texts }: Column): Tally | null => {
  if (texts === null) return null
  const values = parseTexts(texts)
  const counts = values.map(() => 0)
  for (const code of codesIn(data, values.length)) counts[code] = (counts[code] ?? 0) + 1
  return values.map((value, code) => [value, counts[code] ?? 0])
}

type Span = readonly [low: number, high: number, count: number]

const mergedSpans = (
  columns: ReadonlyArray<Column>,
  of: "blocks" | "several",
  limits: Shape["spans"]
): Column | null => {
  const spans = of === "blocks" ? spansOfBlocks(columns) : spansOfSeveral(columns)
  if (spans === null) return null
  const joined = joinEqual(spans)
  const few = joined.length > limits.most ? joinNear(joined, limits.joined) : joined
  return { ...ofNumbers(few.flat()), span: JSON.stringify(around(few)) }
}

const spanOf = (numbers: ReadonlyArray<number>): Span => around(numbers.map((value) => [value, value, 1]))

/** The span that is made of others. */
const around = (spans: ReadonlyArray<Span>): Span =>
  spans.reduce(
    (all, [low, high, count]) => [Math.min(all[0], low), Math.max(all[1], high), all[2] + count],
    [Number.MAX_VALUE, -Number.MAX_VALUE, 0]
  )

/** The numbers of blocks in their order, each as a span. */
const spansOfBlocks = (columns: ReadonlyArray<Column>): Array<Span> | null => {
  const numbers: Array<Float64Array> = []
  for (const column of columns) {
    const some = column.tally === null ? numbersIn(column) : numbersInTally(column.tally)
    if (some === null) return null
    numbers.push(some)
  }
  const all = new Float64Array(numbers.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  for (const some of numbers) {
    all.set(some, length)
    length += some.length
  }
  return Array.from(all.sort(), (value): Span => [value, value, 1])
}

const numbersIn = (column: Column): Float64Array | null =>
  column.data === null || column.texts !== null ? null : numbersOf(column)

const numbersInTally = (tally: string): Float64Array | null => {
  const numbers: Array<number> = []
  for (const [value, count] of parseTally(tally)) {
    if (typeof value !== "number") return null
    for (let time = 0; time < count; time++) numbers.push(value)
  }
  return Float64Array.from(numbers)
}

const spansOfSeveral = (columns: ReadonlyArray<Column>): Array<Span> | null => {
  const spans: Array<Span> = []
  for (const column of columns) {
    const numbers = column.tally === null ? numbersIn(column) : spansOfTally(column.tally)
    if (numbers === null) return null
    for (let at = 0; at < numbers.length; at += 3) {
      spans.push([numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0])
    }
  }
  return spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
}

const spansOfTally = (tally: string): ReadonlyArray<number> | null => {
  const spans: Array<number> = []
  for (const [value, count] of parseTally(tally)) {
    if (typeof value !== "number") return null
    spans.push(value, value, count)
  }
  return spans
}

/** Spans in their order, those that are alike as one. */
const joinEqual = (spans: ReadonlyArray<Span>): Array<Span> => {
  const joined: Array<Span> = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last !== undefined && last[0] === span[0] && last[1] === span[1]) {
      joined[joined.length - 1] = [span[0], span[1], last[2] + span[2]]
    } else joined.push(span)
  }
  return joined
}

const joinNear = (spans: ReadonlyArray<Span>, into: number): Array<Span> => {
  const total = spans.reduce((sum, [, , count]) => sum + count, 0)
  const joined: Array<Span> = []
  let room = 0
  for (const span of spans) {
    const last = joined.at(-1)
    if (last !== undefined && room >= span[2]) {
      joined[joined.length - 1] = [last[0], Math.max(last[1], span[1]), last[2] + span[2]]
      room -= span[2]
    } else {
      joined.push(span)
      room = total / into - span[2]
    }
  }
  return joined
}
