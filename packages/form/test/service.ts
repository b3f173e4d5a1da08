/**
 * A real service in this process, its sandbox, and a browser's part in cookies.
 */
import { type Options, formHandler } from "@watchword/form/handler"
import { createWatchword, memory } from "watchword"

/**
 * @param perAddress how many codes an address of the internet gets in an hour
 * @param resendInterval seconds between two sends of a code
 */
export const start = async ({ perAddress = 2, resendInterval = 30 } = {}) => {
  const service = await createWatchword({
    store: memory(),
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    verify: { resendInterval },
    guards: {
      action: "deny",
      limits: [{ name: "ip", by: ["client_ip"], rates: [`${perAddress}/1h`] }],
      countries: { deny: ["FR"] }
    }
  })
  const { account_id: id } = await service.operator.account.create({ name: "Acme" })
  const account = { account: id, sandbox: true }
  /** The newest code that the sandbox has sent to a number. */
  const codeFor = async (to: string): Promise<string> => {
    const { messages } = await service.sandbox.inbox(account, { to })
    return messages[0]?.code ?? ""
  }
  /** The newest text that the sandbox has sent to a number. */
  const textFor = async (to: string): Promise<string> => {
    const { messages } = await service.sandbox.inbox(account, { to })
    return messages[0]?.text ?? ""
  }
  return { service, account, codeFor, textFor }
}

export type Service = Awaited<ReturnType<typeof start>>

/** The handler of a service for sessions that a cookie `session` names. */
export const handlerOf = ({ account, service }: Service, options: Partial<Options> = {}) =>
  formHandler(service, {
    account,
    session: (request) => /\bsession=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1],
    onApproved: () => {},
    ...options
  })

type Handle = (request: Request) => Promise<Response>

/** A browser with a jar of cookies. */
export class Browser {
  readonly cookies = new Map<string, string>()
  private readonly handle: Handle

  constructor(handle: Handle, session: string | null = "one") {
    this.handle = handle
    if (session !== null) this.cookies.set("session", session)
  }

  async ask(body: object, headers: Readonly<Record<string, string>> = {}) {
    const response = await this.send("POST", JSON.stringify(body), { "content-type": "application/json", ...headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      answer: text.startsWith("{") ? JSON.parse(text) : text
    }
  }

  /** Posts a page's fields, and follows the redirect. */
  async post(fields: Readonly<Record<string, string>>) {
    const type = { "content-type": "application/x-www-form-urlencoded", origin: "https://shop.example" }
    const response = await this.send("POST", new URLSearchParams(fields).toString(), type)
    if (response.status !== 303) return { status: response.status, location: null, html: await response.text() }
    const location = response.headers.get("location")
    return location?.startsWith("?") === true
      ? { status: 303, location, html: await this.page(location) }
      : { status: 303, location, html: "" }
  }

  async page(query = "", headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const response = await this.send("GET", null, { accept: "text/html", ...headers }, query)
    return response.text()
  }

  async send(
    method: string,
    body: string | null,
    headers: Readonly<Record<string, string>>,
    query = ""
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const url = new URL(query, "https://shop.example/account/phone")
    const response = await this.handle(new Request(url, { method, body, headers: { cookie, ...headers } }))
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0\b/.test(set)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }
}
