/**
 * What every release's database must do with today's program.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit } from "@watchword/operator/Audit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Database, Kind } from "./Database.ts"
import { type Facts, balanceOf, counted, history } from "./history.ts"
import { PRICE, start } from "./service.ts"
import { released, unreleased } from "./versions.ts"

export const suite = (kind: Kind): void => {
  if (kind.keepsPlans) testOpenProgram(kind)

  describe.each([...released, unreleased])("a database of release %s", (version) => {
    const read = (name: string): string => readFileSync(new URL(`${version}/${name}`, kind.folder), "utf8")

    const load = async (change: Change) => {
      const facts: Facts = JSON.parse(read("facts.json"))
      const database = await kind.open()
      onTestFinished(database.close)
      await database.load(read("schema.sql"))
      await change(database, read("rows.sql"))
      return { database, facts }
    }

    it("has what the first of today's migrations run", () => {
      const schema = read("schema.sql")
      const applied = schema.match(/INSERT INTO \S*watchword_migrations/g)?.length
      const changed =
        version === unreleased
          ? "the schema has changed: run `npm run databases`"
          : "a migration that was released has been changed: add one instead"
      const today = kind.schema(version === unreleased ? undefined : applied)
      expect(schema === today ? "the same" : changed).toBe("the same")
    })

    it.each([
      ["is read, and goes on", asItIs],
      ["is so with columns and fields that a newer program has added", expanded]
    ])("%s", async (_, change) => {
      const { database, facts } = await load(change)
      const { account, balance, keys, pending, records, suspended, webhook } = facts
      const elapsed = Date.now() - facts.at
      const live = await start(database.store, () => Date.now() - elapsed)
      const { handle, operator, sms, verify } = live.service
      expect(await balanceOf(live, account)).toEqual(balance)
      expect(await counted(live, account)).toEqual(records)
      expect(
        (await operator.webhook.list({ account_id: account })).webhooks.map(({ webhook_id: id, pending }) => [
          id,
          pending > 0
        ])
      ).toEqual([[webhook, true]])

      const listed = async (key: string, of = account) => {
        const headers = { "x-api-key": key, "x-account-id": of, "content-type": "application/json" }
        const body = { _tag: "Bytes", bytes: new TextEncoder().encode("{}") } as const
        return (await handle({ method: "POST", path: "/sms/sdr", headers, body, remoteAddress: "127.0.0.1" })).status
      }
      expect(await listed(keys.live)).toBe(200)
      expect(await listed(keys.revoked)).toBe(401)
      await expect(sms.send(suspended, { to: "+4915123456789", text: "Hello" })).rejects.toMatchObject({ status: 403 })
      await expect(sms.send(account, { to: "+2348031234568", text: "Hello" })).rejects.toMatchObject({ status: 403 })

      expect(await verify.check(account, pending.id, { code: pending.code })).toMatchObject({
        valid: true
      })
      await sms.send(account, { to: "+4915123456789", text: "Hello" })
      await live.receive()
      expect((await sms.list(account)).list[0]).toMatchObject({ status: "delivered", text: "Hello" })
      expect(await balanceOf(live, account)).toEqual({
        ...balance,
        balance: Math.round((balance.balance - PRICE) * 100) / 100
      })
      await live.service.dispose()
      await expectSound(database)
    })
  })
}

const testOpenProgram = (kind: Kind): void =>
  it("an expansion is made under a program that is open, which works on", async () => {
    const database = await kind.open()
    onTestFinished(database.close)
    await database.load(kind.schema())
    const live = await start(database.store)
    await history(live)
    await database.expand()
    await history(live)
    await live.service.dispose()
    await expectSound(database)
  })

const expectSound = async ({ snapshots }: Database): Promise<void> => {
  if (snapshots === null) return
  const { violations } = await Effect.runPromise(
    Effect.provide(audit, Layer.provideMerge(snapshots, ChannelRegistry.layerBuiltIn))
  )
  expect(violations).toEqual([])
}

/** Loads rows, as their program has left them or as a newer one may have. */
type Change = (database: Database, rows: string) => Promise<void>

const asItIs: Change = ({ load }, rows) => load(rows)

const expanded: Change = async ({ expand, load }, rows) => {
  await load(withNewFields(rows))
  await expand()
}

/** Adds a field to every JSON object: a text of its own, one in a row that is JSON, and one in a text of such a row. */
const withNewFields = (rows: string): string => {
  const changed = rows
    .replaceAll(`'{"`, `'{"added":1,"`)
    .replaceAll(/"(details|watch)":\{"/g, `"$1":{"added":1,"`)
    .replaceAll(/"(value|event)":"\{\\"/g, String.raw`"$1":"{\"added\":1,\"`)
    .replaceAll(/"attempts": ?"\[\{\\"/g, String.raw`"attempts":"[{\"added\":1,\"`)
  expect(changed.split("added").length).toBeGreaterThan(20)
  return changed
}
