/**
 * A user asks to be forgotten.
 */
import { setTimeout as delay } from "node:timers/promises"
import { ERASED } from "@watchword/store/Delivery"
import type { Day } from "../Day.ts"

/** Erases the number of a verified user. The payments for the codes stay in the ledger. */
export const erased = async ({ customers, forgotten, must, say, service, shop }: Day): Promise<void> => {
  const [number] = customers.approved
  if (number === undefined) {
    must(false, "a user is verified, who asks to be forgotten")
    return
  }
  const known = async (): Promise<number> => {
    const { items } = await service.operator("why", number)
    return Array.isArray(items) ? items.length : Number.NaN
  }
  say(`A user asks to be forgotten, of whom ${await known()} records tell`)
  for (const each of [number, ERASED]) forgotten.add(each)
  const isDone = (): Promise<boolean> =>
    service.operator("erase", number).then(
      () => true,
      () => false
    )
  // The command fails while a record is in progress or another program reads the database, so it is repeated.
  let tries = 1
  for (; !(await isDone()) && tries < 10; tries++) await delay(2000)
  must((await known()) === 0, `watchword erase: after ${tries} tries no record has the number`)
  const { entries } = await service.operator("account", "entries", shop.account)
  say(`The ledger keeps its ${Array.isArray(entries) ? entries.length : 0} entries`)
}
