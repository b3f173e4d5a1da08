/**
 * Accounts, money, keys and settings of verifications over HTTP, for the bearer of the operator's token.
 */
import type { Operator } from "watchword"

/**
 * | request | body | answer |
 * |---|---|---|
 * | `POST /operator/accounts` | `{"name", "caller", "sms_sender", …}` | `{"account_id"}` |
 * | `POST /operator/credits` | `{"account_id", "amount"}` | the balance |
 * | `POST /operator/keys` | `{"account_id", "sandbox", "scopes", "allow"}` | `{"key_id", "key"}` |
 * | `POST /operator/revocations` | `{"key_id"}` | `{}` |
 * | `POST /operator/defaults` | `{"account_id", "brand", "locale"}` | the defaults of the account's verifications |
 * | `POST /operator/templates` | `{"account_id", "name", "locale", "text"}` | `{}` |
 *
 * @param token the required bearer token of the header `authorization`; if it is undefined, every request is refused
 */
export const operate = async (request: Request, token: string | undefined, operator: Operator): Promise<Response> => {
  if (token === undefined || !(await isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`))) {
    return Response.json({ error: "UNAUTHORIZED" }, { status: 401 })
  }
  const action = actions[new URL(request.url).pathname.slice("/operator/".length)]
  if (request.method !== "POST" || action === undefined) return Response.json({ error: "NOT_FOUND" }, { status: 404 })
  try {
    return Response.json(await action(operator, await request.json()))
  } catch (error) {
    const { code = "BAD_REQUEST", message = "" }: { code?: string; message?: string } = Object(error)
    return Response.json({ error: code, message }, { status: 400 })
  }
}

interface Body {
  readonly name?: string
  readonly caller?: string
  readonly sms_sender?: string
  readonly sender_username?: string
  readonly account_id: string
  readonly amount: number | string
  readonly sandbox?: boolean
  readonly scopes?: ReadonlyArray<string>
  readonly allow?: ReadonlyArray<string>
  readonly key_id: string
  readonly brand?: string | null
  readonly locale?: string
  readonly text?: string
}

// The service names the invalid fields of a body.
const actions: { readonly [path: string]: (operator: Operator, body: Body) => Promise<unknown> } = {
  accounts: (operator, body) => operator.account.create(body),
  credits: (operator, { account_id, amount }) => operator.account.credit({ account_id, amount }),
  keys: (operator, body) => operator.key.create(body),
  revocations: async (operator, { key_id }) => {
    await operator.key.revoke({ key_id })
    return {}
  },
  defaults: (operator, { account_id, brand, locale }) => operator.account.verify({ account_id, brand, locale }),
  templates: async (operator, { account_id, locale = "", name = "", text = "" }) => {
    await operator.template.set({ account_id, name, locale, text })
    return {}
  }
}

/** Compares two texts without a timing that reveals where they differ: by hashes, which a client cannot choose. */
const isSame = async (a: string, b: string): Promise<boolean> => {
  const key = await crypto.subtle.importKey("raw", crypto.getRandomValues(new Uint8Array(32)), HMAC, false, [
    "sign",
    "verify"
  ])
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)]
  return crypto.subtle.verify("HMAC", key, await crypto.subtle.sign("HMAC", key, left), right)
}

const HMAC = { name: "HMAC", hash: "SHA-256" }
