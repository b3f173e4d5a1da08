/**
 * What SIGHUP reads again without a restart: the table of prices.
 */
import type { PriceTable } from "@watchword/ledger/PriceTable"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Environment } from "./Reading.ts"
import * as Settings from "./Settings.ts"

/** A table that stays the same object while its content is replaced. */
export interface Replaceable {
  readonly table: PriceTable
  readonly replace: (next: PriceTable) => void
}

export const replaceable = (first: PriceTable): Replaceable => {
  let current = first
  const table: PriceTable = {
    get byProduct() {
      return current.byProduct
    },
    get otherwise() {
      return current.otherwise
    }
  }
  return {
    table,
    replace: (next) => {
      current = next
    }
  }
}

export interface Log {
  readonly info: (message: string) => void
  readonly error: (message: string) => void
}

/** Reads the prices again. A table that cannot be read leaves those in force, and is told in one line of the log. */
export const reload = (prices: Option.Option<Replaceable>, environment: Environment, log: Log): void => {
  if (Option.isNone(prices)) return log.info("SIGHUP: there is nothing to read again, because PRICES is not set.")
  Result.match(Settings.prices(environment), {
    onSuccess: (read) => {
      if (Option.isSome(read)) prices.value.replace(read.value)
      log.info("SIGHUP: PRICES was read again, and is in force.")
    },
    onFailure: ({ message }) => log.error(`SIGHUP: ${message} The prices of before stay in force.`)
  })
}

/** Calls back at each SIGHUP. On a terminal the signal keeps its meaning: the terminal has gone, and the process ends. */
export const onHangUp = (callback: () => void): void => {
  if (!process.stdout.isTTY) process.on("SIGHUP", callback)
}
