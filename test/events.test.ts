/**
 * The receiver that docs/events.md shows, and the bodies that the OpenAPI document describes, on events of a service.
 */
import { Api } from "@watchword/api/Api"
import { Event, eventTypes } from "@watchword/schemas/Event"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { once } from "node:events"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

it("a receiver as the page shows it believes what a service signs, and nothing else", async () => {
  const page = await readFile(new URL("../docs/events.md", import.meta.url), "utf8")
  const [, code = ""] = /```ts\n\/\/ receiver\.ts\n([\s\S]*?)```/.exec(page) ?? []
  const file = new URL("build/events/receiver.mts", import.meta.url)
  await mkdir(new URL(".", file), { recursive: true })
  await writeFile(file, code)
  const { receiver } = await import(file.href)
  const service = await createWatchword({ store: memory(), webhooks: { allowPrivate: true } })
  const { account_id: account } = await service.operator.account.create()
  const caller = { account, sandbox: true }
  const approved = Promise.withResolvers<string>()
  let secret = ""
  const app = (...args: ReadonlyArray<unknown>) => receiver(secret, approved.resolve)(...args)
  const server = (await import("node:http")).createServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks`
  ;({ secret } = await service.operator.webhook.add({ account_id: account, url, events: ["verification.*"] }))

  const { id } = await service.verify.start(caller, {
    to: "+4915123456789",
    workflow: [{ channel: "sms", timeout: 60 }]
  })
  const { messages } = await service.sandbox.inbox(caller, { to: "+4915123456789" })
  await service.verify.check(caller, id, { code: messages[0]?.code ?? "" })
  expect(await approved.promise).toBe("+4915123456789")

  const forged = await fetch(url, { method: "POST", body: "{}", headers: { "webhook-id": "evt_1" } })
  expect(forged.status).toBe(401)
  await service.dispose()
  server.close()
})

it("the OpenAPI document describes the bodies of webhooks", async () => {
  const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
  expect(Object.keys(document.webhooks)).toEqual(["verification", "delivery", "call", "balance", "guard", "test"])
  const { schema } = document.webhooks.delivery.post.requestBody.content["application/json"]
  expect(JSON.stringify(schema.properties.type)).toContain('"delivery.updated"')
  expect(Object.keys(schema.properties.data.properties)).toContain("version")
})

it("handlers get what the schema says", async () => {
  const service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create()
  const first = new Promise<unknown>((resolve) => service.on("delivery.updated", resolve))
  await service.sms.send({ account, sandbox: true }, { to: "+4915123456789", text: "Your code is 778899" })
  expect(Schema.decodeUnknownSync(Event)(await first)).toMatchObject({ type: "delivery.updated" })
  await service.dispose()
})

it("the page for those who come from a hosted API names events that there are", async () => {
  const page = await readFile(new URL("../docs/migrating.md", import.meta.url), "utf8")
  const named = [...page.matchAll(/`((?:verification|delivery|call)\.[a-z]+)`/g)].map(([, name = ""]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(eventTypes).toEqual(expect.arrayContaining(named))
  expect(page).not.toMatch(/no callbacks|callbacks? \| none|webhooks?[^|]*\| none/i)
})
