import { watchword } from "@watchword/node"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { createServer } from "node:http"
import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

it("ends a list whose client has gone, while others go on", async () => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const search = Effect.andThen(
    Effect.sync(() => begun.resolve()),
    Effect.onExit(Effect.never, ({ _tag }) => Effect.sync(() => ended.resolve(_tag)))
  )
  const store = Layer.effect(
    Store,
    Effect.map(Effect.service(Store), (store) => Store.of({ ...store, list: () => search }))
  ).pipe(Layer.provide(memory()))
  const service = await createWatchword({ store })
  const server = createServer(watchword(service)).listen(0, "127.0.0.1")
  try {
    await once(server, "listening")
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const { account_id: account } = await service.operator.account.create({ name: "Acme" })
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
    const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
    const client = new AbortController()
    const listed = fetch(`${origin}/sms/sdr`, { method: "POST", headers, body: "{}", signal: client.signal })
    await begun.promise
    const body = JSON.stringify({ to: "+4915123456789", text: "Your code is 123456" })
    expect((await fetch(`${origin}/sms`, { method: "POST", headers, body })).status).toBe(200)
    client.abort()
    await expect(listed).rejects.toThrow("aborted")
    expect(await ended.promise).toBe("Failure")
  } finally {
    server.closeAllConnections()
    server.close()
    await service.dispose()
  }
})
