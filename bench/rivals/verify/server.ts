/**
 * The rival for verifications: start, resend and check by SMS, written by hand with Fastify, better-sqlite3 or pg, and
 * smpp. An answered request and its events are on the disk.
 */
import fastify, { type FastifyRequest } from "fastify"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { createHmac, hash, randomBytes, randomInt } from "node:crypto"
import { readFileSync } from "node:fs"
import { monotonicFactory } from "ulid"
import { connectCarrier } from "../sms/carrier.ts"
import type { Account } from "../sms/store.ts"
import { encode } from "../sms/text.ts"
import { type Opened, type Outcome, openStore } from "./store.ts"
import { postEvents } from "./webhooks.ts"

const {
  ACCOUNTS = "1",
  CODE_SECRET = "",
  DATABASE = "verify.db",
  /** Each request in a transaction of its own, on PostgreSQL. */
  UNGROUPED,
  /** For load tests, whose clients read no texts: every code is this code. */
  FIXED_CODE,
  PRICES = "",
  SMPP_PORT = "2775",
  SYSTEM_ID = "rival-verify",
  WEBHOOK_SECRET = "",
  WEBHOOK_URL
} = process.env
if (CODE_SECRET === "") throw new Error("CODE_SECRET is missing.")

const TTL = 10 * 60 * 1000

const store = await openStore(DATABASE, UNGROUPED === undefined)
const carrier = connectCarrier(
  { host: "127.0.0.1", port: Number(SMPP_PORT), systemId: SYSTEM_ID, password: "secret" },
  store.receipt
)
setInterval(() => void store.sweep().catch(console.error), 60 * 1000)
if (WEBHOOK_URL !== undefined) postEvents(store, WEBHOOK_URL, WEBHOOK_SECRET)

class Failure extends Error {
  readonly statusCode: number
  readonly code: string
  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}

/** Micro-euros a text, keyed by number prefix; the longest counts. */
const prices = new Map<string, number>(
  Object.entries<string | number>(JSON.parse(readFileSync(PRICES, "utf8")).sms).map(([prefix, euros]) => [
    prefix,
    Math.round(Number(euros) * 1e6)
  ])
)
const longestPrefix = Math.max(...[...prices.keys()].map((prefix) => prefix.length))
const priceOf = (to: string): number => {
  for (let length = longestPrefix; length > 0; length--) {
    const price = prices.get(to.slice(1, 1 + length))
    if (price !== undefined) return price
  }
  return prices.get("*") ?? 0
}

const KNOWN_FOR = 1_000
const known = new Map<string, { readonly account: Account; readonly until: number }>()

const header = (value: string | ReadonlyArray<string> | undefined): string => (typeof value === "string" ? value : "")

const accountOf = async ({ headers }: FastifyRequest): Promise<Account> => {
  const [apiKey, accountId] = [header(headers["x-api-key"]), header(headers["x-account-id"])]
  const now = Date.now()
  let entry = known.get(apiKey)
  if (entry === undefined || entry.until < now) {
    const account = await store.accountByKey(hash("sha256", apiKey))
    if (account === undefined) throw new Failure(401, "UNAUTHORIZED", "The API key or the account id is not valid.")
    if (known.size > 10_000) known.clear()
    entry = { account, until: now + KNOWN_FOR }
    known.set(apiKey, entry)
  }
  if (entry.account.id === accountId) return entry.account
  throw new Failure(401, "UNAUTHORIZED", "The API key or the account id is not valid.")
}

const newCode = (): string => FIXED_CODE ?? String(randomInt(1_000_000)).padStart(6, "0")

/** The stored form of a code. It covers the id, so that equal codes do not look equal. */
const hashOf = (id: string, code: string): string =>
  createHmac("sha256", CODE_SECRET).update(`${id}:${code}`).digest("base64url")

const submit = async (opened: Opened, sender: string, code: string): Promise<void> => {
  if (opened.is !== "open") throw refusals[opened.is]()
  const text = `Your code is ${code}. It is valid for ten minutes.`
  const sent = await carrier.send(opened.to, sender, encode(text, 0))
  const outcome: Outcome = sent.is === "accepted" ? { is: "accepted", ref: sent.refs[0] ?? "" } : sent
  await store.close(opened.message, outcome)
  if (outcome.is === "rejected") throw new Failure(480, "TEMPORARY_UNAVAILABLE", "The carrier did not take it.")
  if (outcome.is === "unknown") throw new Failure(503, "SERVICE_UNAVAILABLE", "The outcome is not known.")
}

const missing = (): Failure => new Failure(404, "NOT_FOUND", "There is no such verification.")
const refusals = {
  missing,
  ended: () => new Failure(409, "CONFLICT", "The verification has ended."),
  limited: () => new Failure(429, "TOO_MANY_REQUESTS", "The number has had too many texts within an hour."),
  insufficient: () => new Failure(402, "PAYMENT_REQUIRED", "The balance is too small.")
}

const NUMBER = /^\+[1-9][0-9]{6,14}$/
const nextId = monotonicFactory()

const bodyOf = (properties: Readonly<Record<string, object>>) => ({
  schema: { body: { type: "object", required: Object.keys(properties), properties } }
})
const ID = { type: "string", maxLength: 64 }

const app = fastify({ logger: false })

app.setErrorHandler((error: Partial<Failure> & Error, _request, reply) => {
  const status = error.statusCode ?? 500
  if (status >= 500 && !(error instanceof Failure)) console.error(error)
  void reply.code(status).send({
    error: error instanceof Failure ? error.code : status === 400 ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR",
    message: status >= 500 && !(error instanceof Failure) ? "The request failed." : error.message
  })
})

app.post<{ Body: { readonly to: string } }>(
  "/v1/verifications",
  bodyOf({ to: { type: "string" } }),
  async (request) => {
    const account = await accountOf(request)
    const { to } = request.body
    if (!NUMBER.test(to) || parsePhoneNumberFromString(to)?.isPossible() !== true) {
      throw new Failure(400, "BAD_REQUEST", "to must be a phone number in E.164 form")
    }
    const id = `vrf_${nextId()}`
    const code = newCode()
    const expiresAt = Date.now() + TTL
    const opened = await store.start({
      id,
      account: account.n,
      to,
      codeHash: hashOf(id, code),
      price: priceOf(to),
      expiresAt
    })
    await submit(opened, account.sender ?? "Verify", code)
    return { id, to, status: "pending", expires_at: new Date(expiresAt).toISOString() }
  }
)

app.post<{ Body: { readonly verification_id: string } }>(
  "/v1/verifications/resend",
  bodyOf({ verification_id: ID }),
  async (request) => {
    const account = await accountOf(request)
    const id = request.body.verification_id
    const found = await store.find(id, account.n)
    if (found === undefined) throw missing()
    const code = newCode()
    const opened = await store.resend({
      id,
      account: account.n,
      codeHash: hashOf(id, code),
      price: priceOf(found.to)
    })
    await submit(opened, account.sender ?? "Verify", code)
    return { id, status: "pending" }
  }
)

app.post<{ Body: { readonly verification_id: string; readonly code: string } }>(
  "/v1/verifications/check",
  bodyOf({ verification_id: ID, code: { type: "string", pattern: "^[0-9]{6}$" } }),
  async (request) => {
    const account = await accountOf(request)
    const { code, verification_id: id } = request.body
    const checked = await store.check({ id, account: account.n, codeHash: hashOf(id, code) })
    if (checked.is === "missing") throw missing()
    if (checked.is === "ended") throw new Failure(409, "CONFLICT", `The verification is ${checked.status}.`)
    return { id, status: checked.status, valid: checked.valid, checks_left: checked.checksLeft }
  }
)

app.get<{ Params: { readonly id: string } }>("/v1/verifications/:id", async (request) => {
  const account = await accountOf(request)
  const found = await store.find(request.params.id, account.n)
  if (found === undefined) throw missing()
  return found
})

// Finishes the requests in flight.
process.once("SIGTERM", () => void app.close().then(() => process.exit(0)))

const senders = Array.from({ length: Number(ACCOUNTS) }, () => ({
  account: `acc_${nextId()}`,
  key: `sk_live_${randomBytes(32).toString("base64url")}`
}))
for (const { account, key } of senders) {
  await store.createAccount(account, "Watchword", hash("sha256", key), 1_000_000 * 1e6)
}
await app.listen({ host: "127.0.0.1", port: 0 })
const [address] = app.addresses()
console.log(`ready ${JSON.stringify({ port: address?.port, senders })}`)
