/** Vonage's SDK for Node, unmodified, against the standalone server, with a key that an operator has stored. */
import { Vonage } from "@vonage/server-sdk"
import { Channels } from "@vonage/verify2"
import * as Schema from "effect/Schema"
import { writeFile } from "node:fs/promises"
import { beforeAll, expect, it } from "vitest"
import { installationForAll, serverForAll } from "../../../packages/standalone/test/Installation.ts"
import { APPLICATION, PHONE, pairOf, problem, wrong } from "./fixture.ts"

const installation = installationForAll(() => ({ DEMO: "no" }))
const { running } = serverForAll(installation, () => ({ DOORS: "vonage" }))

let account: string
let key: string
let verify: Vonage["verify2"]

beforeAll(async () => {
  account = await installation.newAccount("--name", "Acme", "--sms-sender", "Acme")
  key = await installation.newKey(account, "--sandbox")
  const { pem } = await pairOf()
  const file = installation.file("public.pem")
  await writeFile(file, pem.public)
  await installation.command("door", "key", account, "--application", APPLICATION, "--public-key", file, "--sandbox")
  const apiHost = `${running().origin}/vonage`
  verify = new Vonage({ applicationId: APPLICATION, privateKey: pem.private }, { apiHost }).verify2
})

const Inbox = Schema.Struct({ messages: Schema.Array(Schema.Struct({ code: Schema.NullOr(Schema.String) })) })

const newestCode = async (): Promise<string> => {
  const answer = await fetch(`${running().origin}/v1/sandbox/inbox?to=%2B${PHONE}`, {
    headers: { "x-account-id": account, "x-api-key": key }
  })
  return Schema.decodeUnknownSync(Inbox)(await answer.json()).messages[0]?.code ?? ""
}

const start = () => verify.newRequest({ brand: "Acme", workflow: [{ channel: Channels.SMS, to: PHONE }] })

it("starts once, and checks a wrong code and the right one", async () => {
  const { requestId } = await start()
  expect(await problem(start())).toMatchObject({ status: 409, body: { request_id: requestId } })
  const code = await newestCode()
  expect((await problem(verify.checkCode(requestId, wrong(code)))).status).toBe(400)
  expect(await verify.checkCode(requestId, code)).toBe("completed")
  expect((await problem(verify.checkCode(requestId, code))).status).toBe(404)
})

it("cancels a request, and knows no other", async () => {
  const { requestId } = await start()
  expect(await verify.cancel(requestId)).toBe(true)
  expect((await problem(verify.checkCode(requestId, "1234"))).status).toBe(404)
  expect(await verify.cancel("c11236f4-00bf-4b89-84ba-88b25df97315")).toBe(false)
})

it("ends a request with the third wrong code", async () => {
  const { requestId } = await start()
  const code = await newestCode()
  const statuses = new Array<unknown>()
  for (let time = 0; time < 3; time++) statuses.push((await problem(verify.checkCode(requestId, wrong(code)))).status)
  expect(statuses).toEqual([400, 400, 410])
})
