/**
 * An attacker has codes sent to numbers with an expensive prefix, and never enters one.
 */
import { isWatchwordError } from "@watchword/client"
import type { Day } from "../Day.ts"

const NUMBERS = 300
const AT_ONCE = 5

/** The maximum that the rules may let through: the floor of the prefix, and the requests in flight at once. */
const MOST_SENT = 5 + 1 + AT_ONCE

export const attack = async (day: Day): Promise<void> => {
  const { alerting, customers, must, phones, say } = day
  alerting?.expect("WatchwordPumpingBlocks")
  say(`Traffic pumping: ${NUMBERS} verifications for numbers that begin with +234803123, from many addresses`)
  const reasons = new Map<string, number>()
  let next = 0
  const attacker = async (): Promise<void> => {
    while (next < NUMBERS) {
      const number = `+234803123${String(next++).padStart(4, "0")}`
      const address = `198.51.${next % 100}.${next % 250}`
      const body = { to: number, workflow: [{ channel: "sms", timeout: 60 }], client_ip: address } as const
      const answer = await customers.client.verify.start(body).then(
        () => "sent",
        (error: unknown): string => (isWatchwordError(error) ? (error.reason ?? error.code) : "?")
      )
      reasons.set(answer, (reasons.get(answer) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, attacker))
  const sent = reasons.get("sent") ?? 0
  const arrived = [...phones.numbers].filter((number) => number.startsWith("+234")).length
  must(
    sent <= MOST_SENT && arrived === sent,
    `${[...reasons].map(([reason, count]) => `${count} ${reason}`).join(", ")}; ${arrived} texts cost ${(arrived * 0.2).toFixed(2)} EUR`
  )
  if (alerting !== null)
    must(await alerting.fires("WatchwordPumpingBlocks", 20_000), "an alert says that a guard blocks")
}
