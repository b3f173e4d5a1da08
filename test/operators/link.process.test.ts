/**
 * Sign-in in two processes of one database: a link is good for one of them, and a session for both.
 */
import { postgres } from "@watchword/store-postgres"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { type PostgresServer, start as startPostgres } from "../PostgresServer.ts"
import { until } from "../until.ts"
import { cookieOf, endAll, me, openLink, signIn, start } from "./console.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
})

afterEach(endAll)
afterAll(() => server.stop())

it("a link signs in once, whichever process is asked, and its session ends in both", async () => {
  const store = () => postgres(server.url)
  const secret = "0123456789abcdef0123456789abcdef"
  const first = await start({}, { store: store(), secret })
  const second = await start({}, { store: store(), secret })
  const link = await openLink(store(), { name: "anna" })
  const all = await Promise.all([first, second, first, second].map((console) => signIn(console, { link })))
  expect(all.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401])
  const [cookie = { cookie: "" }] = all.filter(({ status }) => status === 204).map(cookieOf)
  for (const console of [first, second]) await until(async () => (await me(console, cookie)) !== 401)
  expect(await me(second, cookie)).toEqual({ name: "anna", role: "admin", signed_in_by: "link" })
  const { id } = (await first.operators())[0] ?? {}
  await first.asHost("operator/revoke", { id })
  expect(await me(first, cookie)).toBe(401)
  await until(async () => (await me(second, cookie)) === 401)
})
