/** A Worker that calls a service which declines, then cuts the connection, then answers; and two that it makes up. */
import { type Fetch, createClient, isWatchwordError } from "@watchword/client"

const account = { apiKey: "sk_live_1", accountId: "acc_1" }
const call = { callee: "+4915123456789" }

const codeOf = (error: unknown): string => (isWatchwordError(error) ? error.code : String(error))

/** Never answers, until its time is up. */
const silent: Fetch = (_, { signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

const elsewhere: Fetch = () => Promise.resolve(Response.redirect("https://elsewhere.example", 307))

export default {
  async fetch(_: Request, env: { readonly BASE_URL: string }): Promise<Response> {
    const client = createClient({ ...account, baseUrl: env.BASE_URL })
    const declined = await client.call
      .flash(call)
      .catch((error: unknown) => (isWatchwordError(error) ? { code: error.code, status: error.status } : String(error)))
    const called = await client.call.flash(call)
    const asking = (fetch: Fetch) =>
      createClient({ ...account, baseUrl: env.BASE_URL, fetch })
        .call.flash(call, { timeout: 0.005, retries: 0 })
        .catch(codeOf)
    return Response.json({ declined, called, late: await asking(silent), redirected: await asking(elsewhere) })
  }
}
