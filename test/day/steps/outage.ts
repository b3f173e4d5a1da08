/**
 * A carrier goes down and comes back.
 */
import { isWatchwordError } from "@watchword/client"
import type { Day } from "../Day.ts"

/** Closes the SMS carrier. The channel refuses sends, and verifications continue with their next step. */
export const carrierDown = async ({ alerting, carriers, customers, say }: Day): Promise<void> => {
  alerting?.expect("WatchwordGatewayDown")
  alerting?.expect("WatchwordSendsFail")
  carriers.smsDown()
  say("The SMS carrier is down: its port is closed, and every connection with it")
  const refusal = await customers.client.sms
    .send({ to: "+4915799999999", text: "Your code is 123456" }, { retries: 0 })
    .then(
      () => "taken",
      (error: unknown) => (isWatchwordError(error) ? error.code : String(error))
    )
  say(`A text is answered ${refusal}; verifications take their next step`)
}

export const carrierUp = async ({ alerting, carriers, must, say }: Day): Promise<void> => {
  if (alerting !== null)
    must(await alerting.fires("WatchwordGatewayDown", 20_000), "an alert names the gateway that is down")
  await carriers.smsUp()
  say("The SMS carrier is up again")
  if (alerting !== null) must(await alerting.resolved("WatchwordGatewayDown", 60_000), "the alert is resolved")
}
