/**
 * The client's answers to sends that were not opened.
 */
import { BadRequest, PaymentRequired } from "@watchword/schemas/Errors"

export const insufficient = () => new PaymentRequired({ message: "The account's balance is too small for this send." })

// A table without a price for a number is what keeps live keys away from it: satellite phones, premium rates.
export const unpriced = (toField = "to") =>
  new BadRequest({
    message: "No price is set for this number.",
    issues: [{ path: toField, message: "is a number that no price is set for" }]
  })
