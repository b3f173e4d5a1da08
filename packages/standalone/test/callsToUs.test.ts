/**
 * Users who verify their number by calling one of the service's: SIP over UDP and TCP, SQLite, and a trunk whose phones
 * call.
 */
import * as Sip from "@watchword/call/sip"
import { type Trunk, trunk as startTrunk } from "@watchword/sandbox/trunk"
import { type Smsc, smsc as startSmsc } from "@watchword/sandbox/smsc"
import { smpp } from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { until } from "../../../test/until.ts"

const OURS = "+493023125000"
const CALLER = "+4915123456789"
const OTHER = "+4916012345678"

const folder = folderForEach()
let carrier: Smsc
let trunk: Trunk
let port: number
let service: Watchword
let account: string

const begin = async (parameters: string, protocol: "udp" | "tcp" = "udp"): Promise<void> => {
  trunk = await startTrunk({ protocol })
  port = await freePort()
  const options = Result.getOrThrow(Sip.fromUrls(trunk.url(`keepalive=0${parameters}`)))
  service = await createWatchword({
    store: sqlite(folder.file("test.db")),
    secret: "a secret of an installation that only tests have",
    call: Sip.layer({ ...options, listen: { host: "127.0.0.1", port }, timers: { t1: 20, t2: 160, t4: 200 } }),
    sms: smpp({ url: carrier.url() }),
    prices: { call: { "*": 0.02 }, sms: { "*": 0.05 } },
    guards: "none",
    observability: Layer.succeed(References.MinimumLogLevel, "None")
  })
  account = await newAccount()
}

const newAccount = async (): Promise<string> => {
  const { account_id: id } = await service.operator.account.create()
  await service.operator.account.credit({ account_id: id, amount: "1" })
  return id
}

beforeEach(async () => {
  carrier = await startSmsc()
})

afterEach(async () => {
  await service.dispose()
  await trunk.stop()
  await carrier.stop()
})

const workflow = [
  { channel: "receive", by: ["call"], timeout: 60 },
  { channel: "sms", timeout: 60 }
] as const

const start = (more: Partial<Parameters<Watchword["verify"]["start"]>[1]> = {}, by = account) =>
  service.verify.start(by, { to: CALLER, workflow, ...more })

/** Has a phone call until it is refused. The trunk's addresses are known a moment after the start. */
const call = async (from: string, to: string, headers: ReadonlyArray<string> = []): Promise<number> =>
  until(
    async () => {
      const placed = await trunk.call({ from, to, at: { host: "127.0.0.1", port }, headers })
      return until(() => placed.status)
    },
    (status) => status !== 603
  )

const got = (id: string, by = account) => service.verify.get(by, id)

const results = async (id: string, by = account) =>
  (await got(id, by)).received?.map(({ by, result }) => [by, result]) ?? []

for (const protocol of ["udp", "tcp"] as const) {
  describe(`a user who calls over ${protocol}`, () => {
    it("dials the number that is shown, and is approved", async () => {
      await begin(`;receives=${OURS}`, protocol)
      const { id, present } = await start()
      expect(present).toMatchObject([{ by: "call", number: OURS, uri: `tel:${OURS}`, text: null }])
      const number = present?.[0]?.uri.replace("tel:", "") ?? ""
      expect(await call(CALLER, number)).toBe(486)
      expect(await got(id)).toMatchObject({ status: "approved", by: "call", assurance: "claimed" })
      expect(await results(id)).toEqual([["call", "approved"]])
      expect(carrier.submits).toEqual([])
    })

    it("has proved nothing from another number, or at another number of ours", async () => {
      await begin(`;receives=${OURS},+493023125001`, protocol)
      const { id, present } = await start()
      expect(present?.[0]?.number).toBe(OURS)
      expect(await call(OTHER, OURS)).toBe(486)
      expect(await call(CALLER, "+493023125001")).toBe(486)
      expect(await call('"Anonymous" <sip:anonymous@anonymous.invalid>', OURS)).toBe(486)
      expect(await got(id)).toMatchObject({ status: "pending" })
      expect(await results(id)).toEqual([])
    })
  })
}

it("a trusted trunk vouches for a caller", async () => {
  await begin(`;receives=${OURS};trusted=yes`)
  const { id } = await start({ least_assurance: "network" })
  expect(await call(OTHER, OURS, [`P-Asserted-Identity: <tel:${CALLER}>`])).toBe(486)
  expect(await got(id)).toMatchObject({ status: "approved", by: "call", assurance: "network" })
})

it("a caller for whom no network vouches is too weak, where more is asked for", async () => {
  await begin(`;receives=${OURS}`)
  const { id } = await start({ least_assurance: "network" })
  expect(await call(CALLER, OURS, [`P-Asserted-Identity: <tel:${CALLER}>`])).toBe(486)
  expect(await got(id)).toMatchObject({ status: "pending" })
  expect(await results(id)).toEqual([["call", "weak"]])
})

it("a pool that is used up leaves the call out, until the number is free", async () => {
  await begin(`;receives=${OURS}`)
  const first = await start()
  const second = await start({ purpose: "payment" })
  expect([second.present, second.channel]).toEqual([undefined, "sms"])
  await call(CALLER, OURS)
  expect((await got(first.id)).status).toBe("approved")
  const third = await start({ purpose: "login" })
  expect(third.present).toMatchObject([{ by: "call", number: OURS }])
})

it("a pool of two has room for two verifications of a phone, each at its own number", async () => {
  await begin(`;receives=${OURS},+493023125001`)
  const first = await start()
  const second = await start({ purpose: "payment" })
  expect([first, second].map(({ present }) => present?.[0]?.number)).toEqual([OURS, "+493023125001"])
  await call(CALLER, "+493023125001")
  expect([(await got(first.id)).status, (await got(second.id)).status]).toEqual(["pending", "approved"])
})

it("a call for two verifications at one number approves neither", async () => {
  await begin(`;receives=${OURS}`)
  // Both look for a free number before either has taken it, as sooner or later happens.
  let last = 0
  const pair = async () => {
    const to = `+49151234567${String(last++).padStart(2, "0")}`
    const both = await Promise.all(["login", "payment"].map((purpose) => start({ to, purpose })))
    return { to, both }
  }
  const { both, to } = await until(pair, ({ both }) => both.every(({ present }) => present?.[0]?.number === OURS))
  expect(await call(to, OURS)).toBe(486)
  for (const { id } of both) {
    expect([(await got(id)).status, await results(id)]).toEqual(["pending", [["call", "ambiguous"]]])
  }
})

it("a user abroad, whom the call would cost money, is not shown the number", async () => {
  await begin(`;receives=${OURS}`)
  const { channel, present } = await start({ to: "+33612345678" })
  expect([present, channel]).toEqual([undefined, "sms"])
})
