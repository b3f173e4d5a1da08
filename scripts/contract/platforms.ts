/**
 * The tables of chat platforms and HTTP providers, for `docs/field.md`.
 */
import { type Row as Error, rows as errors } from "../../packages/bizchat/test/corpus/Errors.ts"
import { rows as telegramErrors } from "../../packages/chatgw/test/corpus/Errors.ts"
import { rows as telegramStatuses } from "../../packages/chatgw/test/corpus/Statuses.ts"
import { rows as smsCallbacks } from "../../packages/sms/test/corpus/Callbacks.ts"
import { type Row as Status, rows as statuses } from "../../packages/bizchat/test/corpus/Statuses.ts"

export interface Table {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The tables of a section; undefined for a section that is not about platforms. */
export const platforms = (section: string): ReadonlyArray<Table> | undefined => sections[section]?.()

const whatsapp = (): ReadonlyArray<Table> => [
  {
    columns: ["answer of WhatsApp", "client", "price", "log", "rests", "known from"],
    rows: errors.map((row) => [
      said(row),
      row.answered,
      row.price,
      logOf(row.level),
      row.rests ? "yes" : "",
      row.source
    ])
  },
  {
    columns: ["word of WhatsApp", "record", "price", "log", "noted as unknown", "known from"],
    rows: statuses.map((row) => [
      row.name,
      recordOf(row),
      row.price,
      logOf(row.level),
      row.unrecognized.join(", "),
      row.source
    ])
  }
]

const said = ({ body, status }: Error): string =>
  typeof body === "string" ? `${status} and a page` : `${status} ${body.message}`

const recordOf = ({ error, status }: Status): string => (error === null ? status : `${status}, error ${error}`)

const logOf = (level: string | null): string => level?.toLowerCase() ?? ""

const telegram = (): ReadonlyArray<Table> => [
  {
    columns: ["error", "status", "client", "price", "probe", "log", "rests", "known from"],
    rows: telegramErrors.map((row) => [
      `\`${row.error}\``,
      String(row.status),
      row.answered,
      row.price,
      row.probe.toLowerCase(),
      logOf(row.level),
      row.rests ? "yes" : "",
      row.source
    ])
  },
  {
    columns: ["callback", "message", "code", "fee back", "noted as unknown", "known from"],
    rows: telegramStatuses.map(({ delivery, isRefunded, name, source, unrecognized, verification }) => [
      name,
      delivery ?? "",
      verification ?? "",
      isRefunded ? "yes" : "",
      unrecognized.join(", "),
      source
    ])
  }
]

const callbacks = (): ReadonlyArray<Table> => [
  {
    columns: ["from", "callback", "record", "word kept", "error kept", "noted as unknown", "known from"],
    rows: smsCallbacks.map(({ error, from, name, source, status, unrecognized, word }) => [
      from,
      name,
      status,
      word ?? "",
      error ?? "",
      unrecognized.join(", "),
      source
    ])
  }
]

const sections: Readonly<Record<string, () => ReadonlyArray<Table>>> = { whatsapp, telegram, callbacks }
