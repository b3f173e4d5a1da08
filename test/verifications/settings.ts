/**
 * Settings that the tests of verifications and their processes share.
 */
import type { StepChannel } from "@watchword/schemas/Verification"

export const SECRET = "a secret of the installation, long enough"

export const NUMBER = "+4915123456789"

/** The pool of callers: 10,000 endings. */
export const CALLERS = ["+4930901820000-+4930901829999"]

/** In EUR. */
const PRICE = { sms: 0.05, chatgw: 0.03, chatgw_probe: 0.01, call: 0.02, bizchat: 0.04 } as const

/** One price for all numbers. */
export const PRICES = Object.fromEntries(Object.entries(PRICE).map(([product, price]) => [product, { "*": price }]))

/** A step, by default with as short a time-out as most tests have. */
export const step = (channel: StepChannel, timeout = 20) => ({ channel, timeout })
