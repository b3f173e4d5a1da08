/**
 * Tables of the texts and answers that real carriers send, in Markdown: each table of a package's `test/corpus`, by the
 * name of its section in `docs/field.md`.
 */
import { platforms } from "./platforms.ts"
import { receipts } from "./receipts.ts"
import { rows as bodies } from "../../adapters/auth-hooks/test/corpus/Bodies.ts"
import { rows as codes } from "../../packages/verify/test/corpus/Codes.ts"
import { rows as numbers } from "../../packages/schemas/test/corpus/Numbers.ts"
import { rows as callers } from "../../packages/call/test/corpus/Callers.ts"
import * as Answers from "../../packages/call/test/corpus/Answers.ts"
import * as SmppAnswers from "../../packages/sms/test/corpus/Answers.ts"

/** Functions that write each table, by its name. */
const tables: Readonly<Record<string, () => string>> = {
  receipts: () => markdownTable(receipts.columns, receipts.rows(code)),
  codes: () =>
    markdownTable(
      ["from", "entered", "read as", "source"],
      codes.map(({ entered, from, reads, source }) => [from, code(entered), reads ?? "refused, no guess spent", source])
    ),
  identity: () =>
    markdownTable(
      ["from", "body", "goes to", "source"],
      bodies.map(({ body, from, source, to }) => [from, code(JSON.stringify(body)), to ?? "refused", source])
    ),
  numbers: () =>
    markdownTable(
      ["kind", "from", "text", "country", "read as", "source"],
      numbers.map(({ country = "", from, kind, number, reason = "", source, text }) => [
        kind,
        from,
        code(text),
        country,
        number ?? reason,
        source
      ])
    ),
  answers: () =>
    markdownTable(
      ["to", "from", "status", "`errors`", "becomes", "source"],
      [
        ...SmppAnswers.rows.map(({ errors, from, rebinds = false, source, status, told }) => [
          "submit_sm",
          from,
          statusOf(status),
          errors === undefined ? "" : code(errors),
          `${becomes(told)}${rebinds ? ", and the link is bound again" : ""}`,
          source
        ]),
        ...SmppAnswers.binds.map(({ from, link, nack, source, status }) => [
          "bind",
          from,
          `${statusOf(status)}${nackOf(nack)}`,
          "",
          `the link is ${link}`,
          source
        ]),
        ...SmppAnswers.probes.map(({ from, link, nack, source, status }) => [
          "enquire_link",
          from,
          `${statusOf(status)}${nackOf(nack)}`,
          "",
          link === "up" ? "the link stays up" : "the link is bound again",
          source
        ])
      ]
    ),
  sip: () =>
    markdownTable(
      ["from", "answers to an INVITE", "the client is answered", "`hangup_cause`", "", "source"],
      Answers.rows.map((row) => [
        row.from,
        row.says.map(answerToInvite).join(", "),
        row.answer === "rings" ? "200, charged" : `\`${row.reason ?? row.answer}\``,
        `\`${row.cause}\``,
        fateOf(row).join("; "),
        row.source
      ])
    ),
  callers: () =>
    markdownTable(
      ["from", "Request-URI", "headers", "the caller", "source"],
      callers.map(({ assurance, caller, from, headers, options, source, uri }) => [
        from,
        code(uri),
        headers.map(code).join(" "),
        [
          caller ?? "no number",
          assurance ?? "claimed",
          ...(options === undefined ? [] : [`with \`;${options}\``])
        ].join(", "),
        source
      ])
    )
}

const statusOf = (status: number): string => `\`0x${status.toString(16).padStart(2, "0")}\``

const nackOf = (nack: string | undefined): string => (nack === undefined ? "" : `, generic_nack (${nack})`)

const becomes = (told: SmppAnswers.Told): string =>
  told === "accepted" ? "200, charged" : told === "again" ? "the text leaves again" : `${told}, released`

const answerToInvite = (said: number | Answers.Answer): string => {
  if (typeof said === "number") return String(said)
  const texts = [said.phrase ?? "", ...(said.headers ?? [])].filter((text) => text !== "")
  return texts.length === 0 ? String(said.status) : `${said.status} ${texts.map(code).join(" ")}`
}

/** Further effects on a call. */
const fateOf = ({ blocks, counts, next, noted = [], options }: Answers.Row): ReadonlyArray<string> => [
  ...(options === undefined ? [] : [`with \`;${options}\``]),
  ...(counts === true ? ["counts as a send: it may have rung"] : []),
  ...(blocks === true ? ["counts against the caller, which rests for an hour after three"] : []),
  ...(next === true ? ["another trunk is asked"] : []),
  ...(noted.length === 0 ? [] : [`noted: ${noted.map(code).join(", ")}`])
]

/** The table with a name. */
export const corpusTable = (name: string): string =>
  tables[name]?.() ??
  platforms(name)
    ?.map(({ columns, rows }) => markdownTable(columns, rows))
    .join("\n\n") ??
  "No rows yet."

/** A table with a heading for each column. Cells are printed unchanged, except characters that end a cell or a line. */
export const markdownTable = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`
  return [line(columns), `|${"---|".repeat(columns.length)}`, ...rows.map(line)].join("\n")
}

/** A text as Markdown code, with unprintable characters written as `\u{…}`. */
export const code = (text: string): string => {
  const visible = text.replace(
    /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}`]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  )
  return visible === "" ? "" : `\`${visible}\``
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")
