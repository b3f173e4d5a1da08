/**
 * Prose in this repository, and the turns in it that read as a translation.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..")
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

export interface Line {
  readonly path: string
  readonly number: number
  readonly text: string
}

const blank = (block: string): string => block.replaceAll(/[^\n]/g, "")
const numbered = (path: string, text: string): ReadonlyArray<Line> =>
  text.split("\n").map((line, index) => ({ path, number: index + 1, text: line }))

/** The lines of a document without code and without the table of CONTRIBUTING.md. */
export const proseOf = (path: string): ReadonlyArray<Line> =>
  numbered(
    path,
    read(path)
      .replaceAll(/^ *```[^]*?^ *```$/gm, blank)
      .replaceAll(/^\| not \| but \|$[^]*?\n\n/gm, blank)
      .replaceAll(/`[^`\n]*`/g, "``")
  )

/** The lines of a source that are comments, or end in one. */
export const commentsOf = (path: string): ReadonlyArray<Line> =>
  numbered(path, read(path)).filter(({ text }) => /^\s*(?:\*|\/\*|\/\/)|\s\/\/ /.test(text))

/** The texts of a source that have at least three words: errors, descriptions, what a page or a command prints. */
export const textsOf = (path: string): ReadonlyArray<Line> =>
  numbered(path, read(path))
    .filter(({ text }) => !/^\s*(?:\*|\/\*|\/\/|import |export \* |\} from )/.test(text))
    .flatMap((line) =>
      [...line.text.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|>([^<>{}=;]+)</g)].flatMap(
        ([, quoted, template, child]) => {
          const text = quoted ?? template ?? child ?? ""
          return /\w \w+ \w/.test(text) ? [{ ...line, text }] : []
        }
      )
    )

/** A turn of a phrase, and what an engineer who grew up with English writes instead. */
export interface Pattern {
  readonly turn: RegExp
  readonly instead: string
}

/** Each is right now and then, so a folder may have a counted number of them. */
export const PATTERNS = {
  "relatives without a noun": {
    // An indirect question ("says what the carrier answered") and a heading that asks one are English.
    turn: /\b(?:(?:that|those|ones?|all) (?:that|who|which)|those (?:of|in|with|without)|(?<!(?:say|says|said|see|sees|show|shows|knows?|learns?|checks?|decides?|describes?|explains?|tells?|asks?|on) )(?<![#[|"] ?)what (?:is|was|are|were|has|had|it|they|does|did|the|an?)|all who)\b/i,
    instead: "repeat the noun"
  },
  by: {
    turn: /\b(?:leaves?|left|goes|go|going|texts?|codes?|arrives?|comes?|signed in) by (?!hand|default|now|then|it(?:self|s)\b|themselves)/i,
    instead: "via, through, over SMPP, with"
  },
  "alone, beside": {
    turn: /(?<!stand[- ])\balone\b|\bbeside\b/i,
    instead: "only; next to, in addition to, compared with"
  },
  "light verbs": {
    turn: /\b(?:go(?:es)? on|(?:is|are|was|were) given back|gives? back|stands?(?= (?:in|on|at|there|by|behind|beside|under|alone|for (?:it|them)sel(?:f|ves)))|takes? (?:part|place)|has (?:its|their) place)\b/i,
    instead: "continues, accepts, makes, returns"
  },
  "adverbs of law": {
    turn: /\b(?:in (?:the )?place of|at the (?:earliest|latest)|for so (?:many|long)|for ever|also where|so far as|as far as)\b/i,
    instead: "instead of, no earlier than, for N seconds, permanently, even if"
  },
  "the noun that is none": {
    turn: /\b(?:(?<!\b(?:if|because|when|and|or|but) (?:there|it|they|[A-Z]\w*) )(?:is|are|was|were|be|has|have|had) none\b|none of (?:it|them|its|their|his)\b)/i,
    instead: "not a valid X; no X"
  },
  "false where it was": {
    turn: /\b(?:true|false|null|undefined|nothing|none|empty|zero|``) where\b/i,
    instead: "Returns `false` if …"
  },
  "of-chains": {
    turn: /\b[a-z]+s of (?:the |its |their )?[a-z]+s (?:of|on|in)\b|\bof [\w-]+ of [\w-]+ of\b/i,
    instead: "guard reasons, template names"
  }
} as const satisfies Record<string, Pattern>
