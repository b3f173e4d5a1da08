/**
 * Outcome of a delivery as the account reports it: a status of the record, or a value of one of its details.
 */
import type { Delivery, Status } from "@watchword/store/Delivery"

export type ReportedOutcome = (
  | {
      readonly _tag: "Status"
      readonly status: Status
      /** Names of later statuses that say the same and more. */
      readonly impliedBy: ReadonlyArray<string>
    }
  | { readonly _tag: "Detail"; readonly name: string; readonly value: string }
) & {
  /** Whether it says that the user holds the number; guards weigh such sends against the others. */
  readonly isVerified?: boolean
}

/** The detail that marks a record whose user holds the number by a report. */
export const VERIFIED = "verified"

/** Whether a report of the account says that the user of a record holds the number. */
export const isVerified = ({ details }: Pick<Delivery, "details">): boolean => details[VERIFIED] === true

export const status = (status: Status, impliedBy: ReadonlyArray<string> = []): ReportedOutcome => ({
  _tag: "Status",
  status,
  impliedBy
})

/** The same of a user who has proved to hold the number. */
export const verified = (outcome: ReportedOutcome): ReportedOutcome => ({ ...outcome, isVerified: true })

export const detail = (name: string, value: string): ReportedOutcome => ({ _tag: "Detail", name, value })
