/**
 * Acts of operators: a command with some fields of its input; a dialog asks for the others.
 */
import { signal } from "@preact/signals"
import { type Name, runForText, runInWords } from "./api.ts"

/** An act as a page offers it. */
export interface Act {
  readonly command: Name
  /** What its button says, and its dialog confirms. */
  readonly label: string
  /** The fields of the input that the page knows. */
  readonly given: object
  /** What becomes of it, in a sentence or two; the command's description unless given. */
  readonly says?: string
  /** The fields to ask for; all that are not given, unless given. */
  readonly fields?: ReadonlyArray<string>
  /** What the fields have at first. */
  readonly first?: object
  /** Whether it takes something away. */
  readonly isHard?: boolean
  /** The field of the output that is a secret, which is shown once. */
  readonly secret?: string
  /** Follows when it was done. */
  readonly done?: () => void
}

/** The act that the dialog asks about. */
export const asked = signal<Act | null>(null)

/** What was done last, in the command's words. */
export const said = signal<string | null>(null)

/**
 * Runs an act. Resolves to its secret; null if it has none.
 *
 * @param seen when its user has seen what it changes
 */
export const perform = async (
  { command, given, secret }: Act,
  typed: object,
  seen: number | null
): Promise<string | null> => {
  const input = { ...given, ...typed }
  if (secret !== undefined) return runForText(command, input, secret, seen)
  said.value = (await runInWords(command, input, seen)).trim()
  return null
}
