/**
 * Records as a file for spreadsheets.
 */
import { linesOf } from "@watchword/schemas/Csv"
import type { Row } from "./Row.ts"

const COLUMNS = [
  "created_at",
  "id",
  "account_id",
  "mode",
  "channel",
  "to",
  "status",
  "reason",
  "price",
  "cost",
  "margin"
] as const

export const csvOf = (rows: ReadonlyArray<Row>): string => linesOf(COLUMNS, rows).join("\r\n")
