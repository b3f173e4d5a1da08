/**
 * Requests to a running service, and the ledger behind it.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { AccountId } from "@watchword/schemas/Ids"
import type { EntryKind } from "@watchword/store/Account"
import { Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Caller {
  readonly port: number
  readonly account: string
  readonly key: string
}

/** Requests to a server that runs as a process. */
export const callerOf = ({ baseUrl }: { readonly baseUrl: string }, account: string, key: string): Caller => ({
  port: Number(new URL(baseUrl).port),
  account,
  key
})

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** GET without a body, POST with one. */
export const request = async (
  { account, key, port }: Caller,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** The first record of a list. */
export const newestOf = ({ body }: Answer) => (Array.isArray(body["list"]) ? body["list"][0] : undefined)

/** The kinds of an account's ledger entries after its first credit, read by a connection of its own. */
export const entriesOf = (file: string, account: string): Promise<ReadonlyArray<EntryKind>> =>
  Store.use((store) => store.entries({ account: AccountId.make(account), after: null, limit: 1000 })).pipe(
    Effect.map((entries) => entries.slice(1).map(({ kind }) => kind)),
    Effect.provide(Layer.provide(sqlite(file), ChannelRegistry.layerBuiltIn)),
    Effect.runPromise
  )
