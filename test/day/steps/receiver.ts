/**
 * A customer's receiver of webhooks answers 503 for some hours.
 */
import type { Day } from "../Day.ts"

/** From a real outage of so long on, in milliseconds, events are late enough for the alert. */
const ALERTS_AFTER = 150_000

export const receiverDown = async ({ alerting, carriers, say }: Day, outage: number): Promise<void> => {
  carriers.takeWebhooks(false)
  if (outage >= ALERTS_AFTER) alerting?.expect("WatchwordWebhooksLate")
  say("The shop's receiver of webhooks answers 503")
}

export const receiverUp = async ({ alerting, carriers, must, say }: Day, outage: number): Promise<void> => {
  if (outage >= ALERTS_AFTER && alerting !== null)
    must(await alerting.fires("WatchwordWebhooksLate", 30_000), "an alert says that webhooks are late")
  carriers.takeWebhooks(true)
  say("The receiver takes webhooks again; each event comes with its next attempt")
}

/** Waits until the receiver has been told of every record. */
export const toldOfAll = async ({ carriers, must, say, service }: Day): Promise<void> => {
  const pending = async (): Promise<number> => {
    const { webhooks } = await service.operator("webhook", "list")
    return Array.isArray(webhooks) ? Number(webhooks[0]?.pending ?? 0) : 0
  }
  say(`${await pending()} events wait for an attempt`)
  const end = Date.now() + 420_000
  let left = await pending()
  for (; left > 0 && Date.now() < end; left = await pending()) await new Promise((resolve) => setTimeout(resolve, 5000))
  const ids = carriers.webhooks.got.map(({ headers }) => headers["webhook-id"])
  must(left === 0, `The receiver was asked ${ids.length} times for ${new Set(ids).size} events, and ${left} are left`)
}
