/**
 * The rival: one SMS endpoint written by hand with Fastify, better-sqlite3 or pg, and smpp, with Watchword's
 * guarantees: hold, submit, settle, each on disk before the next begins.
 */
import fastify from "fastify"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { hash, randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { monotonicFactory } from "ulid"
import { connectCarrier } from "./carrier.ts"
import { type Account, openStore } from "./store.ts"
import { encode } from "./text.ts"

const { ACCOUNTS = "1", DATABASE = "rival.db", PRICES = "", SMPP_PORT = "2775" } = process.env

const store = await openStore(DATABASE)
const carrier = connectCarrier(
  { host: "127.0.0.1", port: Number(SMPP_PORT), systemId: "rival", password: "secret" },
  store.receipt
)
setInterval(() => void store.sweep(), 60 * 60 * 1000)

class Failure extends Error {
  readonly statusCode: number
  readonly code: string
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
  constructor(statusCode: number, code: string, message: string, path?: string) {
    super("The request failed.")
    this.statusCode = statusCode
    this.code = code
    this.issues = path === undefined ? [] : [{ path, message }]
    this.message = path === undefined ? message : "The request body is not valid."
  }
}

/** Micro-euros per part, by number prefix; the longest matching prefix counts. */
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
const accountBehind = async (apiKey: string, accountId: string): Promise<Account> => {
  const now = Date.now()
  let entry = known.get(apiKey)
  if (entry === undefined || entry.until < now) {
    const account = await store.accountByKey(hash("sha256", apiKey))
    if (account === undefined) throw new Failure(401, "UNAUTHORIZED", "The API key or the account id is not valid.")
    if (known.size > 10_000) known.clear()
    entry = { account, until: now + KNOWN_FOR }
    known.set(apiKey, entry)
  }
  if (entry.account.id !== accountId) {
    throw new Failure(401, "UNAUTHORIZED", "The API key or the account id is not valid.")
  }
  return entry.account
}

const NUMBER = /^\+[1-9][0-9]{6,14}$/
const SENDER = "^(?:(?=.*[A-Za-z])[A-Za-z0-9 ._&'+-]{1,11}|\\+?[0-9]{3,15})$"
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]|\p{Surrogate}/u

interface SendSms {
  readonly to: string
  readonly text: string
  readonly from?: string
}

const nextId = monotonicFactory()
let reference = Date.now() & 0xffff

const app = fastify({
  logger: false,
  requestIdHeader: false,
  genReqId: ({ headers }) => {
    const given = headers["x-request-id"]
    return typeof given === "string" && UUID.test(given) ? given : randomUUID()
  }
})

app.setErrorHandler((error: Partial<Failure> & Error, request, reply) => {
  const status = error.statusCode ?? 500
  void reply
    .code(status)
    .header("x-request-id", request.id)
    .send({
      error: error instanceof Failure ? error.code : status === 400 ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR",
      message: status >= 500 && !(error instanceof Failure) ? "The request failed." : error.message,
      request_id: request.id,
      ...(error.issues === undefined ? {} : { issues: error.issues })
    })
})

const header = (value: string | ReadonlyArray<string> | undefined): string => (typeof value === "string" ? value : "")

app.post<{ Body: SendSms }>(
  "/v1/sms",
  {
    schema: {
      body: {
        type: "object",
        required: ["to", "text"],
        properties: {
          to: { type: "string" },
          text: { type: "string", minLength: 1, maxLength: 4096 },
          from: { type: "string", pattern: SENDER }
        }
      },
      response: {
        200: {
          type: "object",
          properties: { messageId: { type: "string" }, from: { type: "string" }, to: { type: "string" } }
        }
      }
    }
  },
  async (request, reply) => {
    const { body, headers } = request
    const account = await accountBehind(header(headers["x-api-key"]), header(headers["x-account-id"]))
    const { text, to } = body
    if (!NUMBER.test(to) || parsePhoneNumberFromString(to)?.isPossible() !== true) {
      throw new Failure(400, "BAD_REQUEST", "must be a phone number in E.164 form", "to")
    }
    if (UNSENDABLE.test(text)) throw new Failure(400, "BAD_REQUEST", "must not have control characters", "text")
    const from = body.from ?? account.sender
    if (from === null) throw new Failure(400, "BAD_REQUEST", "is required", "from")
    const given = header(headers["x-request-id"])
    const digest = UUID.test(given)
      ? hash("sha256", JSON.stringify([given.toLowerCase(), to, text, body.from ?? null]))
      : null
    reference = (reference + 1) & 0xffff
    const encoded = encode(text, reference)
    const parts = encoded.parts.length
    const id = nextId()

    const opened = await store.open({ id, account: account.n, digest, to, from, parts, price: priceOf(to) * parts })
    if (opened.is === "duplicate") throw new Failure(409, "CONFLICT", "This request was made already.")
    if (opened.is === "insufficient") throw new Failure(402, "PAYMENT_REQUIRED", "The balance is too small.")
    const outcome = await carrier.send(to, from, encoded)
    await store.close(opened.n, outcome)
    if (outcome.is === "rejected") throw new Failure(480, "TEMPORARY_UNAVAILABLE", "The carrier did not take it.")
    if (outcome.is === "unknown") throw new Failure(503, "SERVICE_UNAVAILABLE", "The outcome is not known.")
    void reply.header("x-request-id", request.id)
    return { messageId: id, from, to }
  }
)

app.get<{ Params: { readonly id: string } }>("/v1/sms/:id/sdr", async ({ headers, params }) => {
  const account = await accountBehind(header(headers["x-api-key"]), header(headers["x-account-id"]))
  const record = await store.find(params.id, account.n)
  if (record === undefined) throw new Failure(404, "NOT_FOUND", "There is no such message.")
  return record
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
