/**
 * The client's answers to sends that were not opened.
 */
import { BadRequest, PaymentRequired, TooManyRequests } from "@watchword/schemas/Errors"

export const tooMany = () =>
  new TooManyRequests({
    message: "Too many sandbox sends of this account are under way.",
    reason: "too_many_sandbox_sends",
    retryAfter: 1
  })

export const insufficient = () => new PaymentRequired({ message: "The account's balance is too small for this send." })

// A table without a price for a number is what keeps live keys away from it: satellite phones, premium rates.
export const unpriced = (toField = "to") =>
  new BadRequest({
    message: "No price is set for this number.",
    issues: [{ path: toField, message: "is a number that no price is set for" }]
  })
