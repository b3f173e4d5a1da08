/**
 * What it costs to verify a callback, beside the bare WebCrypto calls that verifying takes: all three of
 * them, and the last alone, for which the key has to be at hand. Run with `node bench/callback-signature.ts`.
 */
import { signCallback, verifyCallback } from "@watchword/callback-signature"

const CALLBACKS = 20_000
const ROUNDS = 9

const accessToken = "bench-token"
const body = JSON.stringify({
  request_id: "1234567890123456789",
  phone_number: "4915123456789",
  request_cost: 0.01,
  remaining_balance: 12.34,
  delivery_status: { status: "delivered", updated_at: 1_700_000_000 },
  verification_status: { status: "code_valid", updated_at: 1_700_000_005, code_entered: "123456" },
  payload: "order-4711"
})
const signed = await signCallback(body, { accessToken })
const headers = {
  host: "example.com",
  "content-type": "application/json",
  "content-length": String(body.length),
  "user-agent": "gateway",
  "x-request-timestamp": signed["X-Request-Timestamp"],
  "x-request-signature": signed["X-Request-Signature"]
}

const encoder = new TextEncoder()
const importKey = async (token: string): Promise<CryptoKey> => {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(token))
  return crypto.subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}
const key = await importKey(accessToken)
const signature = new Uint8Array(Buffer.from(signed["X-Request-Signature"], "hex"))
const bytes = encoder.encode(`${signed["X-Request-Timestamp"]}\n${body}`)

/** Microseconds for one call. */
const time = async (call: (index: number) => Promise<unknown>): Promise<number> => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < CALLBACKS; index++) await call(index)
  return Number(process.hrtime.bigint() - start) / CALLBACKS / 1000
}

const calls = {
  "digest, importKey and verify": async () =>
    crypto.subtle.verify("HMAC", await importKey(accessToken), signature, bytes),
  verify: () => crypto.subtle.verify("HMAC", key, signature, bytes),
  verifyCallback: () => verifyCallback(body, headers, { accessToken })
}

// The calls take turns, so that what else the machine does falls on all of them.
const rounds: Array<ReadonlyArray<number>> = []
for (let round = 0; round < ROUNDS; round++) {
  const times: Array<number> = []
  for (const call of Object.values(calls)) times.push(await time(call))
  rounds.push(times)
}

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
const medians = Object.keys(calls).map((name, index) => ({ name, us: median(rounds.map((all) => all[index] ?? NaN)) }))
for (const { name, us } of medians) console.log(`${name.padEnd(34)}${us.toFixed(1).padStart(8)} µs`)

const [all, alone, ours] = medians.map(({ us }) => us)
const ratio = (bare = NaN) => ((ours ?? NaN) / bare).toFixed(2)
console.log(`ratio to all three calls ${ratio(all)}, to the last alone ${ratio(alone)}`)
