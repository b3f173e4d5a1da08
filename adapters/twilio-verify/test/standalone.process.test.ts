/** Twilio's SDKs for Node, of both majors and unmodified, against the standalone server. */
import * as Schema from "effect/Schema"
import twilio from "twilio"
import twilio5 from "twilio-5"
import { beforeAll, describe, expect, it } from "vitest"
import { installationForAll, serverForAll } from "../../../packages/standalone/test/Installation.ts"

const installation = installationForAll(() => ({ DEMO: "no" }))
let account: string
let key: string

beforeAll(async () => {
  account = await installation.newAccount("--name", "Acme", "--sms-sender", "Acme")
  key = await installation.newKey(account, "--sandbox")
})

const { running } = serverForAll(installation, () => ({ DOORS: "twilio" }))

const Ids = Schema.Struct({ twilio: Schema.Record(Schema.String, Schema.String) })
const Inbox = Schema.Struct({ messages: Schema.Array(Schema.Struct({ code: Schema.NullOr(Schema.String) })) })

/** The newest code on a phone of the sandbox. */
const codeOn = async (phone: string): Promise<string> => {
  const answer = await fetch(`${running().origin}/v1/sandbox/inbox?to=${encodeURIComponent(phone)}`, {
    headers: { "x-account-id": account, "x-api-key": key }
  })
  const { messages } = Schema.decodeUnknownSync(Inbox)(await answer.json())
  return messages[0]?.code ?? ""
}

const wrongFor = (code: string): string => (code === "000000" ? "000001" : "000000")

interface Verified {
  readonly sid: string
  readonly status: string
  readonly dateCreated: Date
}

/** What both majors have of a service. */
interface Service {
  readonly verifications: {
    (sid: string): {
      readonly fetch: () => Promise<Verified>
      readonly update: (to: { readonly status: "canceled" }) => Promise<Verified>
    }
    readonly create: (of: { readonly to: string; readonly channel: string }) => Promise<Verified>
  }
  readonly verificationChecks: {
    readonly create: (of: { readonly to: string; readonly code: string }) => Promise<Pick<Verified, "sid" | "status">>
  }
}

interface Sdk {
  readonly name: string
  readonly phone: string
  /** The service of a client that is made as an app makes it, but for the line of the base URL. */
  readonly serviceOf: (user: string, url: string, sid: string) => Service
  readonly isRefusal: (error: unknown) => error is { readonly status: number; readonly code?: number | undefined }
}

const sdks: ReadonlyArray<Sdk> = [
  {
    name: "twilio 6",
    phone: "+4915123456786",
    serviceOf: (user, url, sid) => {
      const client = twilio(user, key)
      client.verify.baseUrl = url
      return client.verify.v2.services(sid)
    },
    isRefusal: (error) => error instanceof twilio.RestException
  },
  {
    name: "twilio 5",
    phone: "+4915123456785",
    serviceOf: (user, url, sid) => {
      const client = twilio5(user, key)
      client.verify.baseUrl = url
      return client.verify.v2.services(sid)
    },
    isRefusal: (error) => error instanceof twilio5.RestException
  }
]

describe.each(sdks)("$name", ({ isRefusal, phone, serviceOf }) => {
  let service: Service

  beforeAll(async () => {
    const ids = Schema.decodeUnknownSync(Ids)(await installation.command("door", "ids", account)).twilio
    service = serviceOf(ids["TWILIO_ACCOUNT_SID"] ?? "", `${running().origin}/twilio`, ids["VERIFY_SERVICE_SID"] ?? "")
  })

  const start = () => service.verifications.create({ to: phone, channel: "sms" })

  const check = (code: string) => service.verificationChecks.create({ to: phone, code })

  /** The status and the code of the error that a call is refused with. */
  const refusalOf = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.then(
      () => "no refusal",
      (error: unknown) => error
    )
    if (!isRefusal(error)) throw error
    return [error.status, error.code]
  }

  it("starts, sends again too soon, and checks a wrong code and the right one", async () => {
    const { dateCreated, sid, status } = await start()
    expect(status).toBe("pending")
    expect(dateCreated).toBeInstanceOf(Date)
    expect(await refusalOf(start())).toEqual([429, 60212])
    const code = await codeOn(phone)
    expect(await check(wrongFor(code))).toMatchObject({ sid, status: "pending", valid: false })
    expect(await check(code)).toMatchObject({ sid, status: "approved", valid: true })
    expect(await refusalOf(check(code))).toEqual([404, 20404])
  })

  it("cancels, and finds nothing after that", async () => {
    const { sid } = await start()
    expect(await service.verifications(sid).fetch()).toMatchObject({ sid, status: "pending" })
    expect(await service.verifications(sid).update({ status: "canceled" })).toMatchObject({ sid, status: "canceled" })
    expect(await refusalOf(service.verifications(sid).fetch())).toEqual([404, 20404])
  })

  it("is refused the sixth check, and an id of no verification", async () => {
    await start()
    const wrong = wrongFor(await codeOn(phone))
    for (let time = 0; time < 5; time++) expect((await check(wrong)).status).toBe("pending")
    expect(await refusalOf(check(wrong))).toEqual([429, 60202])
    expect(await refusalOf(service.verifications("VE0123456789abcdef0123456789abcdef").fetch())).toEqual([404, 20404])
  })
})
