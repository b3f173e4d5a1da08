/**
 * A kind of hostile inputs: how to make them, and what must hold of each.
 */

export interface Fault {
  readonly kind: string
  readonly what: string
  /** The input, or how to make it again. */
  readonly input: string
}

export interface Result {
  readonly inputs: number
  readonly faults: ReadonlyArray<Fault>
  /** Memory in MB, of this process or of the server, after a warm-up and at the end; null if it says nothing. */
  readonly memory: readonly [before: number, after: number] | null
}

export interface Kind {
  readonly name: string
  /** Its share of all inputs. */
  readonly share: number
  readonly run: (count: number, seed: number) => Promise<Result>
}

/** An input for a report. */
export const shown = (input: unknown): string => {
  const text =
    input instanceof Uint8Array ? `0x${Buffer.from(input).toString("hex")}` : (JSON.stringify(input) ?? String(input))
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text
}

/** An error for a report. */
export const described = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).slice(0, 1_200) : String(error)
