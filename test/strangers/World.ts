/**
 * A standalone server with customers, gateways and identity servers, and the requests of each.
 */
import { signCallback } from "@watchword/callback-signature"
import { exchange } from "@watchword/store/checks"
import { createHmac, randomInt, randomUUID } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Environment, command, start } from "../../packages/standalone/test/Standalone.ts"

/** An account with a sandbox key. */
export interface Customer {
  readonly account: string
  readonly key: string
}

/** The customer's headers. */
export const headersOf = ({ account, key }: Customer): Readonly<Record<string, string>> => ({
  "x-account-id": account,
  "x-api-key": key,
  "content-type": "application/json"
})

export interface World {
  readonly baseUrl: string
  readonly port: number
  /** A customer whose requests must be answered, whatever the others do. */
  readonly genuine: Customer
  /** A customer with an ordinary account and key, who uses them to the full. */
  readonly stranger: Customer
  /** Creates another key for the stranger. */
  readonly newKey: () => Promise<string>
  /** Runs the operator's command. */
  readonly operator: (...args: ReadonlyArray<string>) => ReturnType<typeof command>
  /** Posts, and resolves to the status; 0 if the connection was cut. */
  readonly post: (path: string, body: string, headers: Readonly<Record<string, string>>) => Promise<number>
  readonly close: () => Promise<void>
}

const APP_SECRET = "the secret of the platform's app"
const CHATGW_TOKEN = "AAEAAAtokenOfTheGateway"
const SUPABASE_SECRET = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
const ZITADEL_KEY = "zYxWvUtSrQpOnMlKjIhGfEdCbA0123456789"

/** Few enough that a test can take them all. */
export const MOST_CONNECTIONS = 600

const RULES = {
  action: "deny",
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1/30s", "5/1h"] },
    { name: "number", by: ["to"], rates: ["5/1h", "10/1d"] },
    { name: "key", by: ["key"], rates: ["5000/1s"] }
  ]
}

/** @param more settings in addition to the usual ones */
export const open = async (more: Environment = {}): Promise<World> => {
  const folder = await mkdtemp(join(tmpdir(), "watchword-"))
  await writeFile(join(folder, "guards.json"), JSON.stringify(RULES))
  const database = { DATABASE_URL: `sqlite:${join(folder, "test.db")}` }
  const operator = (...args: ReadonlyArray<string>) => command(database, ...args)
  const newKey = async (account: string) =>
    String((await operator("key", "create", "--account", account, "--sandbox"))["key"])
  const customer = async (name: string): Promise<Customer> => {
    const account = String((await operator("account", "create", "--name", name, "--sms-sender", name))["account_id"])
    return { account, key: await newKey(account) }
  }
  const genuine = await customer("Genuine")
  const stranger = await customer("Stranger")
  const server = await start({
    ...database,
    DEMO: "no",
    GUARDS: join(folder, "guards.json"),
    MAX_CONNECTIONS: String(MOST_CONNECTIONS),
    PUBLIC_URL: "https://otp.example.com",
    CHATGW_TOKEN,
    CHATGW_URL: "http://127.0.0.1:9",
    BIZCHAT_TOKEN: "token",
    BIZCHAT_PHONE_NUMBER_ID: "1",
    BIZCHAT_URL: "http://127.0.0.1:9",
    BIZCHAT_APP_SECRET: APP_SECRET,
    BIZCHAT_VERIFY_TOKEN: "verify",
    HOOKS_ACCOUNT: genuine.account,
    HOOKS_SANDBOX: "yes",
    SUPABASE_HOOK_SECRET: `v1,whsec_${SUPABASE_SECRET}`,
    ZITADEL_HOOK_KEY: ZITADEL_KEY,
    ...more
  })
  return {
    baseUrl: server.baseUrl,
    port: Number(new URL(server.baseUrl).port),
    genuine,
    stranger,
    newKey: () => newKey(stranger.account),
    operator,
    post: async (path, body, headers) =>
      exchange(server.baseUrl, { method: "POST", path, headers, body }).then(
        ({ status }) => status,
        () => 0
      ),
    close: async () => {
      await server.kill()
      await rm(folder, { recursive: true })
    }
  }
}

/**
 * Any of ninety million German mobile numbers for which the sandbox simulates no failure; numbers that end in a zero
 * and three digits fail.
 */
export const anyNumber = (): string => `+49151${randomInt(1_000, 10_000)}${randomInt(1_000, 10_000)}`

/** A genuine request; resolves to the status. */
export type Question = (world: World) => Promise<number>

export const send: Question = ({ genuine, post }) =>
  post("/sms", JSON.stringify({ to: anyNumber(), text: "Your code is 482913" }), headersOf(genuine))

export const list: Question = ({ genuine, post }) => post("/sms/sdr", "{}", headersOf(genuine))

/** A correctly signed status of the WhatsApp platform. */
export const whatsAppEvent: Question = ({ post }) => {
  const status = {
    id: `wamid.${randomUUID()}`,
    status: "delivered",
    timestamp: "1770000000",
    recipient_id: "4915112345678"
  }
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "1", changes: [{ field: "messages", value: { statuses: [status] } }] }]
  })
  const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex")
  return post("/bizchat/events", body, { "x-hub-signature-256": `sha256=${signature}` })
}

/** A correctly signed event of the Telegram Gateway. */
export const telegramEvent: Question = async ({ post }) => {
  const delivery_status = { status: "delivered", updated_at: 1_770_000_000 }
  const body = JSON.stringify({
    request_id: randomUUID(),
    phone_number: anyNumber(),
    request_cost: 0.01,
    delivery_status
  })
  return post("/chatgw/events", body, { ...(await signCallback(body, { accessToken: CHATGW_TOKEN })) })
}

export const seconds = (): string => String(Math.floor(Date.now() / 1000))

/** A sign-in through Supabase Auth. Its hook reports errors in the body, so any refusal is cut off here. */
export const supabaseSignIn: Question = ({ baseUrl }) => {
  const body = JSON.stringify({ user: { id: randomUUID() }, sms: { otp: "482913", phone: anyNumber().slice(1) } })
  const [id, at] = [randomUUID(), seconds()]
  const signature = createHmac("sha256", Buffer.from(SUPABASE_SECRET, "base64")).update(`${id}.${at}.${body}`)
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": at,
    "webhook-signature": `v1,${signature.digest("base64")}`
  }
  return exchange(baseUrl, { method: "POST", path: "/hooks/supabase", headers, body }).then(
    ({ status, text }) => (text === "{}" ? status : 0),
    () => 0
  )
}

/** A sign-in through ZITADEL. */
export const zitadelSignIn: Question = ({ post }) => {
  const body = JSON.stringify({
    contextInfo: { eventType: "session.otp.sms.challenged", recipientPhoneNumber: anyNumber() },
    args: { code: "482913", preferredLoginName: randomUUID() }
  })
  const at = seconds()
  const signature = createHmac("sha256", ZITADEL_KEY).update(`${at}.${body}`).digest("hex")
  return post("/hooks/zitadel", body, { "zitadel-signature": `t=${at},v1=${signature}` })
}
