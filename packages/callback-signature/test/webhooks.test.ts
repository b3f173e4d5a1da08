import {
  type CallbackSignatureError,
  signWebhook,
  verifyWebhook,
  verifyWebhookList
} from "@watchword/callback-signature/webhook"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

// The example of the Standard Webhooks specification.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const vector = {
  body: '{"test": 2432232314}',
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  },
  now: () => 1_614_265_330_000
}

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`)

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "verified",
    (error: CallbackSignatureError) => error.code
  )

describe("signWebhook", () => {
  it("signs the example of the specification", async () => {
    const id = vector.headers["webhook-id"]
    expect(await signWebhook(vector.body, { secrets: [secret], id, timestamp: 1_614_265_330 })).toEqual(vector.headers)
  })

  it("refuses secrets and ids of another form", async () => {
    for (const wrong of ["", "whsec_", "whsec_ä", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]) {
      await expect(signWebhook("{}", { secrets: [wrong], id: "a" })).rejects.toThrow(TypeError)
    }
    await expect(signWebhook("{}", { secrets: [], id: "a" })).rejects.toThrow(TypeError)
    const unset = Reflect.apply(verifyWebhook, undefined, ["{}", {}, { secret: undefined }])
    await expect(unset).rejects.toThrow("the secret must be whsec_ and base 64")
    for (const id of ["", "a.b", "a b", "ä"]) {
      await expect(signWebhook("{}", { secrets: [secret], id })).rejects.toThrow(TypeError)
    }
  })
})

describe("verifyWebhookList", () => {
  const event = { id: "evt_1", type: "webhook.test", timestamp: "2027-01-31T12:00:00.000Z", data: {} }
  const verified = async (content: unknown) => {
    const body = JSON.stringify(content)
    return verifyWebhookList(body, await signWebhook(body, { secrets: [secret], id: "bat_1" }), { secret })
  }

  it("gives the events of a list", async () => {
    const events = [event, { ...event, id: "evt_2" }]
    expect(await verified(events)).toEqual(events)
    expect(await verified([])).toEqual([])
  })

  it.each([[event], [null], ["[]"], [[event, { ...event, id: 1 }]], [[null]], [[{ ...event, type: 1 }]]])(
    "refuses %j, which is no list of events",
    async (content) => {
      expect(await codeOf(verified(content))).toBe("INVALID_BODY")
    }
  )
})

describe("verifyWebhook", () => {
  it("finds what was signed with either of two secrets right, and nothing else", async () => {
    const events = fc.record({
      type: fc.string(),
      timestamp: fc.string(),
      data: fc.dictionary(fc.string(), fc.string())
    })
    await fc.assert(
      fc.asyncProperty(secrets, secrets, secrets, events, fc.nat(255), async (old, fresh, other, event, bit) => {
        fc.pre(other !== old && other !== fresh)
        const body = JSON.stringify(event)
        const headers = await signWebhook(body, { secrets: [fresh, old], id: "evt_1" })
        expect(await verifyWebhook(body, headers, { secret: old })).toEqual(JSON.parse(body))
        expect(await verifyWebhook(body, headers, { secret: fresh })).toEqual(JSON.parse(body))
        expect(await codeOf(verifyWebhook(body, headers, { secret: other }))).toBe("INVALID_SIGNATURE")
        const changed = Buffer.from(body)
        const at = bit % changed.length
        changed[at] = (changed[at] ?? 0) ^ 1
        expect(await codeOf(verifyWebhook(changed, headers, { secret: old }))).toBe("INVALID_SIGNATURE")
        const renamed = { ...headers, "webhook-id": "evt_2" }
        expect(await codeOf(verifyWebhook(body, renamed, { secret: old }))).toBe("INVALID_SIGNATURE")
      })
    )
  })

  it("says why it refuses a request", async () => {
    const { body, headers, now } = vector
    const outcome = (changes: Record<string, string>, at = now) =>
      codeOf(verifyWebhook(body, { ...headers, ...changes }, { secret, now: at }))
    for (const name of Object.keys(headers)) expect(await outcome({ [name]: "" })).toBe("MISSING_HEADER")
    expect(await outcome({ "webhook-timestamp": "1e9" })).toBe("INVALID_TIMESTAMP")
    expect(await outcome({}, () => now() + 301_000)).toBe("EXPIRED_TIMESTAMP")
    expect(await outcome({}, () => now() - 301_000)).toBe("EXPIRED_TIMESTAMP")
    expect(await outcome({ "webhook-id": "ä" })).toBe("INVALID_SIGNATURE")
    for (const signature of ["v1,", "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "v2,x v1,y"]) {
      expect(await outcome({ "webhook-signature": signature })).toBe("INVALID_SIGNATURE")
    }
    const spare = `v1a,AAAA ${headers["webhook-signature"]}`
    // The body of the example is not an event, so its signature was right.
    expect(await outcome({ "webhook-signature": spare })).toBe("INVALID_BODY")
  })
})
