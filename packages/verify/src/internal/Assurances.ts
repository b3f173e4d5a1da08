/**
 * The order of assurances.
 */
import { assurances } from "@watchword/schemas/Verification"

/** Whether an assurance is below the least one of a start. Left out, both are the weakest. */
export const isWeaker = (assurance: string | undefined, least: string | undefined): boolean =>
  rank(assurance) < rank(least)

const rank = (assurance: string | undefined): number =>
  Math.max(
    0,
    assurances.findIndex((each) => each === assurance)
  )
