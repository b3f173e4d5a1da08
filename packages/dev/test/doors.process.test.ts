import { Vonage } from "@vonage/server-sdk"
import { Channels } from "@vonage/verify2"
import { expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { start } from "./DevServer.ts"

const folder = folderForEach()

it("a development server prints the ids for Twilio's SDK, which open its door", async () => {
  const server = await start({ folder: folder.path() })
  const lines =
    /TWILIO_ACCOUNT_SID +(\S+)\n +TWILIO_AUTH_TOKEN +the API key\n +VERIFY_SERVICE_SID +(\S+)\n.*"(http\S+)"/
  const [, user = "", sid = "", url = ""] = (await until(() => lines.exec(server.err()))) ?? []
  expect(url).toBe(`${server.origin}/twilio`)
  expect(server.err().split(server.key)).toHaveLength(2)
  const answer = await fetch(`${url}/v2/Services/${sid}/Verifications`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${user}:${server.key}`)}` },
    body: new URLSearchParams({ To: "+4915123456789", Channel: "sms" })
  })
  expect(answer.status).toBe(201)
  await until(() => /sms +\+4915123456789 +\d{6}/.test(server.out()))
  await server.stop()
})

it("a development server prints the credentials for the CAMARA door, which sends the client's own text", async () => {
  const server = await start({ folder: folder.path() })
  const lines = /client id +(\S+)\n +client secret +the API key\n +token endpoint +(\S+)\n +API root +(\S+)/
  const [, id = "", endpoint = "", root = ""] = (await until(() => lines.exec(server.err()))) ?? []
  const form = { grant_type: "client_credentials", client_id: id, client_secret: server.key }
  const issued = await fetch(endpoint, { method: "POST", body: new URLSearchParams(form) })
  const { access_token: token }: { readonly access_token?: string } = Object(await issued.json())
  const answer = await fetch(`${root}/one-time-password-sms/v1/send-code`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ phoneNumber: "+4915123456789", message: "{{code}} is your code for Acme." })
  })
  expect(answer.status).toBe(200)
  await until(() => /sms +\+4915123456789 +\d{6}/.test(server.out()))
  await server.stop()
})

it("a development server prints an application for Vonage's SDK, whose private key it has made", async () => {
  const server = await start({ folder: folder.path() })
  const lines = /VONAGE_APPLICATION_ID +(\S+)\n +VONAGE_PRIVATE_KEY +(\S+)\n.*"(http\S+)"/
  const [, applicationId = "", privateKey = "", apiHost = ""] = (await until(() => lines.exec(server.err()))) ?? []
  const { verify2 } = new Vonage({ applicationId, privateKey }, { apiHost })
  const workflow = [{ channel: Channels.SMS, to: "4915123456789" }] as const
  const { requestId } = await verify2.newRequest({ brand: "Acme", workflow: [...workflow] })
  const [, code = ""] = (await until(() => /sms +\+4915123456789 +(\d{4})/.exec(server.out()))) ?? []
  expect(await verify2.checkCode(requestId, code)).toBe("completed")
  await server.stop()
})
