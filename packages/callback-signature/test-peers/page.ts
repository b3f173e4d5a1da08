/** A page that verifies the cases, each body in every form that it may have, and reports the results. */
import { signCallback, verifyCallback } from "@watchword/callback-signature"
import { cases, token } from "../test/cases.ts"
import { outcomeOf } from "../test/outcome.ts"

const encoder = new TextEncoder()

const outcomes = await Promise.all(
  cases.map(async (one) => {
    const bytes = encoder.encode(one.body)
    const larger = encoder.encode(`..${one.body}..`)
    return {
      name: one.name,
      outcomes: [
        await outcomeOf(one),
        await outcomeOf(one, bytes),
        await outcomeOf(one, bytes.buffer),
        await outcomeOf(one, larger.subarray(2, -2))
      ]
    }
  })
)

const body = '{"request_id":"of the browser"}'
const headers = new Headers(await signCallback(body, { accessToken: token }))
const request = new Request("/callback", { method: "POST", body, headers })
const own = [
  await verifyCallback(body, headers, { accessToken: token }),
  await verifyCallback(request, { accessToken: token })
]

await fetch("/told", { method: "POST", body: JSON.stringify({ browser: navigator.userAgent, outcomes, own }) })
