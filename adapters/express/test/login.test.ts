import { once } from "node:events"
import { watchword } from "@watchword/express"
import express from "express"
import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { telegramLogin } from "watchword/telegramLogin"
import { freePort } from "../../../test/freePort.ts"
import { decide } from "../../../test/logins/sandbox.ts"
import { NUMBER, visit } from "../../../test/logins/service.ts"

it.each([
  ["before the app's parsers", false],
  ["after them", true]
])("an app of Express that mounts the interface at its root, %s, has the pages", async (_, isParsed) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = await createWatchword({ store: memory(), publicUrl: url, telegramLogin: telegramLogin(null) })
  const app = express()
  if (isParsed) app.use(express.urlencoded({ extended: false }))
  app.use(watchword(service)).get("/login", (__, response) => void response.send("the app's own"))
  const server = app.listen(port, "127.0.0.1")
  await once(server, "listening")
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  const caller = { account, sandbox: true } as const
  const workflow = [{ channel: "receive", by: ["telegram_login"], timeout: 120 }] as const
  const { id, present = [] } = await service.verify.start(caller, { to: NUMBER, workflow })
  expect((await visit(await decide(present[0]?.uri ?? "", { choice: "share" }))).title).toBe("Your number is verified")
  expect(await service.verify.get(caller, id)).toMatchObject({ status: "approved" })
  expect(await (await fetch(`${url}/login`)).text()).toBe("the app's own")
  server.close()
  server.closeAllConnections()
  await service.dispose()
})
