/**
 * A carrier that silently loses texts, next to a reliable one: how many users are verified in that time if the route
 * follows its order, and if it chooses its best carrier.
 *
 * Conversion is judged by the minutes of an hour, so this service has a clock of its own, and its hours pass within
 * seconds.
 */
import { carriers } from "@watchword/sms/carriers"
import { smpp } from "@watchword/sms/smpp"
import { createWatchword, memory } from "watchword"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { until } from "../../until.ts"
import { codeIn } from "../Carriers.ts"
import { ENTERED } from "../Customers.ts"
import type { Day } from "../Day.ts"
import { next } from "../draws.ts"

const MINUTE = 60_000
/** In minutes: how long the run lasts, and when the carrier loses texts. */
const LASTS = 160
const DEGRADED = { from: 60, until: 100 }
/** The share of texts lost during that time. */
const LOST = 0.7
/** How many users request a code per minute. */
const USERS = 15

/** Started and approved verifications, while the carrier loses texts and after that. */
interface Figures {
  readonly during: { started: number; approved: number }
  readonly after: { started: number; approved: number }
}

export const degrading = async ({ must, say }: Day): Promise<void> => {
  const order = await lived("order")
  const best = await lived("best")
  const share = ({ approved, started }: { started: number; approved: number }): string =>
    `${approved} of ${started} users are verified (${Math.round((100 * approved) / started)} %)`
  say(
    `A carrier loses ${100 * LOST} % of its texts for ${DEGRADED.until - DEGRADED.from} minutes, and reports them as delivered`
  )
  say(`By the order of the route ${share(order.during)}, and once it has recovered ${share(order.after)}`)
  say(`By its best carrier ${share(best.during)}, and once it has recovered ${share(best.after)}`)
  must(best.during.approved > 1.25 * order.during.approved, "the best carrier verifies a quarter more users at least")
}

/** The hours of a service whose route chooses its carrier in one of the two ways. */
const lived = async (choose: "order" | "best"): Promise<Figures> => {
  let at = Date.now()
  const begun = at
  const minute = (): number => (at - begun) / MINUTE
  const isDegraded = (): boolean => minute() >= DEGRADED.from && minute() < DEGRADED.until
  const codes = new Map<string, string | null>()
  const carrier = (loses: () => boolean): Promise<Smsc> =>
    smsc({
      script: {
        submit: ({ text, to }) => {
          if (!loses()) codes.set(`+${to}`, codeIn(text))
          return {}
        },
        receipt: (submit) => receipt(submit)
      }
    })
  const acme = await carrier(() => isDegraded() && next() < LOST)
  const bell = await carrier(() => false)
  const service = await createWatchword({
    store: memory(),
    secret: crypto.randomUUID() + crypto.randomUUID(),
    clock: { now: () => at },
    prices: { sms: { "*": 0.05 } },
    guards: {},
    sms: carriers(
      { acme: smpp({ url: acme.url() }), bell: smpp({ url: bell.url() }) },
      { routes: [{ to: "*", via: ["acme", "bell"], choose }] }
    )
  })
  const figures: Figures = { during: { started: 0, approved: 0 }, after: { started: 0, approved: 0 } }
  try {
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Shop" })
    await service.operator.account.credit({ account_id: account, amount: 1_000 })
    // A carrier accepts texts once it is bound.
    await until(() => service.sms.send({ account }, { to: "+4915111111111", text: "Ready" }).then(isTaken, isRefused))
    for (let user = 0; minute() < LASTS; user++) {
      at = begun + (user * MINUTE) / USERS
      const to = `+49151${String(user).padStart(8, "0")}`
      const { id } = await service.verify.start({ account }, { to, workflow: [{ channel: "sms", timeout: 60 }] })
      const code = codes.get(to)
      const isEntered = typeof code === "string" && next() < ENTERED
      if (isEntered) await service.verify.check({ account }, id, { code })
      const counts = isDegraded() ? figures.during : minute() > DEGRADED.until ? figures.after : null
      if (counts === null) continue
      counts.started++
      if (isEntered) counts.approved++
    }
  } finally {
    await service.dispose()
    await Promise.all([acme.stop(), bell.stop()])
  }
  return figures
}

const isTaken = (): boolean => true
const isRefused = (): boolean => false
