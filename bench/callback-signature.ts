/**
 * The cost of verifying a callback in Node, compared with bare calls that would do the job. With the token's key at
 * hand the bare calls are WebCrypto's `verify`, which takes a round trip through a thread, or `createHmac` and
 * `timingSafeEqual` of node:crypto, which return immediately; without the key they are WebCrypto's `digest`,
 * `importKey` and `verify`. The bare calls get their bytes ready to use; `verifyCallback` also finds the headers,
 * checks the clock, copies the body and parses the event. Run with `node bench/callback-signature.ts`.
 */
import { signCallback, verifyCallback } from "@watchword/callback-signature"
import { type KeyObject, createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto"

const CALLBACKS = 300
const ROUNDS = 300
const WARM_UP = 30

const body = JSON.stringify({
  request_id: "1234567890123456789",
  phone_number: "4915123456789",
  request_cost: 0.01,
  remaining_balance: 12.34,
  delivery_status: { status: "delivered", updated_at: 1_700_000_000 },
  verification_status: { status: "code_valid", updated_at: 1_700_000_005, code_entered: "123456" },
  payload: "order-4711"
})
const encoder = new TextEncoder()

/** A callback, and the input of the bare calls. */
const callback = async (accessToken: string) => {
  const signed = await signCallback(body, { accessToken })
  const timestamp = signed["X-Request-Timestamp"]
  return {
    options: { accessToken },
    headers: {
      host: "example.com",
      "content-type": "application/json",
      "content-length": String(body.length),
      "user-agent": "gateway",
      "x-request-timestamp": timestamp,
      "x-request-signature": signed["X-Request-Signature"]
    },
    token: encoder.encode(accessToken),
    signature: new Uint8Array(Buffer.from(signed["X-Request-Signature"], "hex")),
    bytes: encoder.encode(`${timestamp}\n${body}`)
  }
}

type Callback = Awaited<ReturnType<typeof callback>>

const importKey = async ({ token }: Callback): Promise<CryptoKey> => {
  const digest = await crypto.subtle.digest("SHA-256", token)
  return crypto.subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}
const bare = ({ bytes, signature }: Callback, key: CryptoKey) => crypto.subtle.verify("HMAC", key, signature, bytes)
// Returns a promise, as all the others do.
const atOnce = async ({ bytes, signature }: Callback, key: KeyObject) =>
  timingSafeEqual(createHmac("sha256", key).update(bytes).digest(), signature)
const ours = ({ headers, options }: Callback) => verifyCallback(body, headers, options)

const one = await callback("bench-token")
const other = await callback("another-token")
const key = await importKey(one)
const secretKey = createSecretKey(createHash("sha256").update(one.token).digest())

const calls = {
  "verify, key at hand": () => bare(one, key),
  "createHmac, key at hand": () => atOnce(one, secretKey),
  "verifyCallback, key at hand": () => ours(one),
  "digest, importKey and verify": async (index: number) => {
    const mine = index % 2 === 0 ? one : other
    return bare(mine, await importKey(mine))
  },
  // Only the last token's key is cached: when two tokens alternate, neither key is at hand.
  "verifyCallback, another token": (index: number) => ours(index % 2 === 0 ? one : other)
}
type Name = keyof typeof calls

/** Microseconds per call. */
const time = async (call: (index: number) => Promise<unknown>): Promise<number> => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < CALLBACKS; index++) await call(index)
  return Number(process.hrtime.bigint() - start) / CALLBACKS / 1000
}

// Calls alternate in short turns, so that other work on the machine affects all of them equally.
const rounds: Array<Record<Name, number>> = []
for (let round = 0; round < ROUNDS; round++) {
  const times: Record<Name, number> = {
    "verify, key at hand": 0,
    "createHmac, key at hand": 0,
    "verifyCallback, key at hand": 0,
    "digest, importKey and verify": 0,
    "verifyCallback, another token": 0
  }
  const names = Object.keys(calls) as Array<Name>
  // Each contestant pays for the garbage of the one before, so each gets to follow every other.
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(turn + round) % names.length]
    if (name !== undefined) times[name] = await time(calls[name])
  }
  if (round >= WARM_UP) rounds.push(times)
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

const show = (bareName: Name, ourName: Name) => {
  for (const name of [bareName, ourName]) {
    console.log(
      `${name.padEnd(32)}${median(rounds.map((times) => times[name]))
        .toFixed(1)
        .padStart(8)} µs`
    )
  }
  const ratio = median(rounds.map((times) => times[ourName] / times[bareName]))
  console.log(`${"ratio, the rounds' median".padEnd(32)}${ratio.toFixed(2).padStart(8)}\n`)
}

show("verify, key at hand", "verifyCallback, key at hand")
show("createHmac, key at hand", "verifyCallback, key at hand")
show("digest, importKey and verify", "verifyCallback, another token")
