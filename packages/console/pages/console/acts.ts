/**
 * Acts of operators: a command with some fields of its input; a dialog asks for the others.
 */
import { signal } from "@preact/signals"
import { type Name, runForText, runInWords } from "./api.ts"

/** An act as a page offers it. */
export interface Act {
  readonly command: Name
  /** The label of its button, and of the button that confirms its dialog. */
  readonly label: string
  /** The fields of the input that the page knows. */
  readonly given: object
  /** For an act on several things: the further fields of each, for which the command runs one after the other. */
  readonly each?: ReadonlyArray<object>
  /** Its effect, in a sentence or two; the command's description by default. */
  readonly says?: string
  /** The fields to ask for; by default, every field that is not in `given`. */
  readonly fields?: ReadonlyArray<string>
  /** The initial values of the fields. */
  readonly first?: object
  /** Whether it removes something. */
  readonly isHard?: boolean
  /** The field of the output that is a secret, which is shown once. */
  readonly secret?: string
  /** Called once it is done. */
  readonly done?: () => void
}

/** The act that the dialog asks about. */
export const asked = signal<Act | null>(null)

/** The result of the last act, in the command's words. */
export const said = signal<string | null>(null)

/**
 * Runs an act. Resolves to its secret; null if it has no secret.
 *
 * @param seen when the user loaded the values that it changes
 */
export const perform = async (
  { command, each = [{}], given, label, secret }: Act,
  typed: object,
  seen: number | null
): Promise<string | null> => {
  const input = { ...given, ...typed }
  if (secret !== undefined) return runForText(command, input, secret, seen)
  let words = ""
  for (const [place, more] of each.entries()) {
    // The first change is compared with changes of other operators; the others follow it at once.
    words = (await runInWords(command, { ...input, ...more }, place === 0 ? seen : null)).trim()
  }
  said.value = each.length === 1 ? words : `${label}: done for ${each.length}.`
  return null
}
