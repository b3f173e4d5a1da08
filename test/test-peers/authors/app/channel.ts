/** All three together: codes to pagers through the app's own provider, served by the host, on the store. */
import { withGateway } from "@watchword/send/channel/Channel"
import { EventHub } from "@watchword/send/gateway"
import { accepted } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "journal-store"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Shown, PagerGateway, pager } from "pager-channel"
import { listen } from "plain-host"
import { createWatchword } from "watchword"

/** A provider that takes every page, and the pages it was given. */
const hub = new EventHub<Shown, StoreError>()
const pages: Array<string> = []
const provider = Layer.succeed(PagerGateway, {
  send: ({ code, to }) =>
    Effect.sync(() => {
      pages.push(`${to} ${code}`)
      return accepted([`page-${pages.length}`])
    }),
  events: (handle) => hub.subscribe(handle),
  health: Effect.succeed([{ name: "pager provider", up: true }])
})

const folder = mkdtempSync(join(tmpdir(), "pagers-"))
const started = async () => {
  const service = await createWatchword({
    store: layer(join(folder, "pagers.journal")),
    secret: "x".repeat(32),
    channels: [withGateway(pager, provider)],
    prices: { pager: { "*": 0.05 } }
  })
  return { service, ...(await listen({ handle: service.handle, prefix: "/v1" })) }
}
const one = await started()
const { account_id: account } = await one.service.operator.account.create({ name: "Acme" })
await one.service.operator.account.credit({ account_id: account, amount: "1" })
const { key } = await one.service.operator.key.create({ account_id: account })
const { key: sandboxKey } = await one.service.operator.key.create({ account_id: account, sandbox: true })

const ask = async (baseUrl: string, path: string, body: unknown, by = key): Promise<unknown> => {
  const headers = { "x-account-id": account, "x-api-key": by, "content-type": "application/json" }
  const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const to = "+4915123456789"
const live = await ask(one.baseUrl, "/pager", { to, code: "123456" })
await Effect.runPromise(hub.publish({ ref: "page-1", shown: true }))
const sandbox = await ask(one.baseUrl, "/pager", { to, code: "654321" }, sandboxKey)
const wrong = await ask(one.baseUrl, "/pager", { to: "1", code: "x" })
const verification = await ask(
  one.baseUrl,
  "/verifications",
  { to, workflow: [{ channel: "pager", timeout: 30 }] },
  sandboxKey
)
const before = await one.service.operator.account.show({ account_id: account })
await one.close()
await one.service.dispose()

// The answered records are still there when the journal is opened again.
const other = await started()
const records = await ask(other.baseUrl, "/pager/records", {})
const { balance } = await other.service.operator.account.show({ account_id: account })
await other.close()
await other.service.dispose()
rmSync(folder, { recursive: true })
console.log(JSON.stringify({ live, sandbox, wrong, verification, records, pages, balances: [before.balance, balance] }))
