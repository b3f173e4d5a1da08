/**
 * A process that starts a verification and is killed before its text has left: `node dying.ts FILE SMPP_URL ACCOUNT`. It
 * prints a line once the record of the text is open. Its clock is some minutes behind, so that whatever it has left to do
 * is due for processes whose clocks are right.
 */
import { smpp } from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import { setTimeout as sleep } from "node:timers/promises"
import { createWatchword } from "watchword"
import * as MovedClock from "./clock.ts"
import { BEHIND, NUMBER, PRICES, SECRET, step } from "./settings.ts"

const [, , file = "", url = "", account = ""] = process.argv

const clock = MovedClock.running()
clock.move(-BEHIND)

const service = await createWatchword({
  store: sqlite(file),
  sms: smpp(url),
  prices: PRICES,
  secret: SECRET,
  observability: Layer.succeed(Clock.Clock, clock)
})

void service.verify.start(account, { to: NUMBER, workflow: [step("sms"), step("chatgw")] })

for (;;) {
  const { total } = await service.sms.list(account)
  if (total > 0) break
  await sleep(5)
}
console.log("opened")
await sleep(60_000)
