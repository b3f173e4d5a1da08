import { expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { start } from "./DevServer.ts"

const folder = folderForEach()

it("a development server prints the ids for Twilio's SDK, which open its door", async () => {
  const server = await start({ folder: folder.path() })
  const lines = /TWILIO_ACCOUNT_SID +(\S+)\n +TWILIO_AUTH_TOKEN +(\S+)\n +VERIFY_SERVICE_SID +(\S+)\n.*"(http\S+)"/
  const [, user = "", key = "", sid = "", url = ""] = (await until(() => lines.exec(server.err()))) ?? []
  expect([key, url]).toEqual([server.key, `${server.origin}/twilio`])
  const answer = await fetch(`${url}/v2/Services/${sid}/Verifications`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${user}:${key}`)}` },
    body: new URLSearchParams({ To: "+4915123456789", Channel: "sms" })
  })
  expect(answer.status).toBe(201)
  await until(() => /sms +\+4915123456789 +\d{6}/.test(server.out()))
  await server.stop()
})
