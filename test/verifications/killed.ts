/**
 * Servers that are killed in the middle of a verification, and the next ones on their database.
 */
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import * as Telegram from "@watchword/chatgw/telegram"
import { sip } from "@watchword/call/sip"
import { smpp } from "@watchword/sms/smpp"
import type { Step } from "@watchword/schemas/Verification"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { createWatchword } from "watchword"
import { trunk as startTrunk } from "@watchword/sandbox/trunk"
import { smsc } from "@watchword/sandbox/smsc"
import * as MovedClock from "./clock.ts"
import { CALLERS, PRICES, SECRET } from "./settings.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"
import { telegramApi } from "@watchword/sandbox/http"

export const CREDIT = 1

/** The store of a PostgreSQL's URL, whose fragment is the schema, or of a SQLite's file. */
export const storeOf = (place: string) => {
  const [url = "", schema] = place.split("#")
  return schema === undefined ? sqlite(place) : postgres(url, { schema })
}

/**
 * An account on a database, the peers of the servers, and servers that may be killed.
 *
 * @param place of the store, see {@link storeOf}
 */
export const begin = async (place: string) => {
  // Each server has a carrier of its own, as if by another address.
  const carriers = { dying: await smsc(), next: await smsc() }
  const [chat, trunk] = await Promise.all([telegramApi(), startTrunk()])
  const clock = MovedClock.running()

  /** A server that lives on. */
  const start = (more: { readonly reconcile?: { readonly releaseAfter: number } } = {}) =>
    createWatchword({
      store: storeOf(place),
      prices: PRICES,
      secret: SECRET,
      sms: smpp({ url: carriers.next.url() }),
      chatgw: Telegram.telegram({ token: Redacted.make("token"), baseUrl: chat.url() }),
      call: sip({ url: trunk.url() }),
      observability: Layer.merge(Layer.succeed(Clock.Clock, clock), Logger.layer([])),
      ...more
    })

  const before = await start()
  const { account_id: account } = await before.operator.account.create({ sms_sender: "Acme" })
  await before.operator.account.credit({ account_id: account, amount: CREDIT })
  await before.operator.account.callers({ account_id: account, numbers: CALLERS })
  await before.dispose()

  const children: Array<ChildProcess> = []

  /** A server that starts a verification. Resolves once the record of its send is open. */
  const dying = async (workflow: ReadonlyArray<Step>) => {
    const program = fileURLToPath(new URL("dying.ts", import.meta.url))
    const peers = [carriers.dying.url(), trunk.url()]
    const child = spawn(process.execPath, [program, place, account, JSON.stringify(workflow), ...peers], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    children.push(child)
    endWithRunner(child)
    const exited = once(child, "exit")
    const opened = once(child.stdout, "data")
    const kill = async () => {
      child.kill("SIGKILL")
      await exited
    }
    return { opened, kill }
  }

  const end = async () => {
    for (const child of children) child.kill("SIGKILL")
    await Promise.all([carriers.dying.stop(), carriers.next.stop(), chat.stop(), trunk.stop()])
  }

  return { account, carriers, chat, clock, dying, end, start, trunk }
}
