/**
 * The commands on webhooks: endpoints that are told of events, and the balance below which they are.
 */
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import * as LowBalance from "@watchword/events/internal/LowBalance"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { accountFlag, explained, explainedWith, ofOwner, ownerArgument, print, separated, timeOf } from "./root.ts"

const idArgument = Argument.String("webhook").pipe(Argument.withDescription("The webhook's id, whk_…"))

const ownerFlag = accountFlag.pipe(
  Flag.withDescription("For the events of this account only; of all accounts unless given"),
  Flag.optional
)

const add = Command.make(
  "add",
  {
    account: ownerFlag,
    url: Flag.String("url").pipe(Flag.withDescription("Where events are posted to, https://…")),
    events: Flag.String("events").pipe(
      Flag.withDescription("Types and patterns such as verification.*,delivery.updated; all unless given"),
      Flag.optional
    )
  },
  ({ account, events, url }) =>
    Effect.gen(function* () {
      const owner = Option.getOrNull(account)
      const { id, secret, warning } = yield* EndpointAdmin.add(owner, {
        url,
        ...(Option.isSome(events) ? { events: separated(events.value) } : {})
      })
      yield* print({ webhook_id: id, account_id: owner, url, secret, warning }, [
        `Webhook ${id} gets the events ${ofOwner(owner)} from now on.`,
        `Its secret, which is not shown again: ${secret}`,
        ...(warning === null ? [] : [warning])
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Have events posted to an address"))

const list = Command.make("list", { account: ownerFlag }, ({ account }) =>
  Effect.gen(function* () {
    const all = yield* EndpointAdmin.list(Option.getOrUndefined(account))
    yield* print(
      { webhooks: all.map(described) },
      all.length === 0 ? ["There is no webhook."] : all.flatMap((listed) => linesOf(listed))
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List webhooks, what waits for them, and what they answered last"))

const remove = Command.make("remove", { id: idArgument }, ({ id }) =>
  Effect.gen(function* () {
    yield* EndpointAdmin.remove(id)
    yield* print({ removed: id }, [`Removed webhook ${id}, and the events that waited for it.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Remove a webhook"))

const rotate = Command.make("rotate", { id: idArgument }, ({ id }) =>
  Effect.gen(function* () {
    const { oldUntil, secret } = yield* EndpointAdmin.rotate(id)
    const until = iso(oldUntil)
    yield* print({ webhook_id: id, secret, old_until: until }, [
      `The new secret of webhook ${id}, which is not shown again: ${secret}`,
      `Events are signed with the old one too until ${until}.`
    ])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Give a webhook a new secret; the old one works beside it for a day"))

const enable = Command.make("enable", { id: idArgument }, ({ id }) =>
  Effect.gen(function* () {
    yield* EndpointAdmin.enable(id)
    yield* print({ webhook_id: id, enabled: true }, [`Events are sent to webhook ${id} again.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Send events to a webhook again that was disabled"))

const test = Command.make("test", { id: idArgument }, ({ id }) =>
  Effect.gen(function* () {
    const { answer, message, taken } = yield* EndpointAdmin.test(id)
    yield* print({ webhook_id: id, answer, taken, message }, [`Webhook ${id}: ${message}`])
    if (!taken) yield* Effect.sync(() => void (process.exitCode = 1))
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Have a running server post the event webhook.test, and show the answer"))

const replay = Command.make(
  "replay",
  {
    id: idArgument,
    since: Flag.String("since").pipe(Flag.withDescription("A time in ISO 8601, at most a week ago"))
  },
  ({ id, since }) =>
    Effect.gen(function* () {
      const events = yield* EndpointAdmin.replay(id, yield* timeOf("--since", since))
      yield* print({ webhook_id: id, events }, [`${events} events are sent again to webhook ${id}.`])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Send events again that happened since a time"))

const lowBalance = Command.make(
  "low-balance",
  {
    owner: ownerArgument,
    euros: Argument.String("euros").pipe(
      Argument.withDescription("The available balance, in EUR, below which balance.low is told; - for none")
    )
  },
  ({ euros, owner }) =>
    Effect.gen(function* () {
      const amount = euros === "-" ? null : euros
      yield* LowBalance.set(owner, amount)
      yield* print({ account_id: owner, euros: amount === null ? null : Number(amount) }, [
        amount === null
          ? `No low balance ${ofOwner(owner)} is told.`
          : `A balance ${ofOwner(owner)} that falls below ${amount} EUR is told as balance.low.`
      ])
    }).pipe(Effect.provide(Database.layer), explainedWith(["euros"]))
).pipe(Command.withDescription("Set the balance below which webhooks are told balance.low"))

const iso = (at: number): string => new Date(at).toISOString()

const isoOrNull = (at: number | null | undefined): string | null => (at == null ? null : iso(at))

const described = ({ endpoint, events, id, owner, state }: EndpointAdmin.Listed) => ({
  webhook_id: id,
  account_id: owner,
  url: endpoint.url,
  events: endpoint.events,
  created_at: iso(endpoint.created_at),
  pending: events.pending,
  oldest_pending: isoOrNull(events.oldestPending),
  failed: events.failed,
  last_answer: events.lastAnswer && { answer: events.lastAnswer.answer, at: iso(events.lastAnswer.at) },
  failing_since: isoOrNull(state?.failing_since),
  disabled: state?.disabled?.why ?? null
})

const linesOf = (listed: EndpointAdmin.Listed): ReadonlyArray<string> => {
  const { account_id, disabled, events, failed, last_answer, pending, url, webhook_id } = described(listed)
  const answer = last_answer === null ? "none yet" : `${last_answer.answer} at ${last_answer.at}`
  const ended =
    disabled === null ? "" : `; disabled: ${disabled === "gone" ? "it answered 410" : "five days of failure"}`
  return [
    `${webhook_id}  ${account_id ?? "all accounts"}  ${url}  ${events.join(",")}`,
    `  ${pending} pending, ${failed} failed, last answer: ${answer}${ended}`
  ]
}

export const webhook = Command.make("webhook").pipe(
  Command.withDescription("Webhooks: endpoints that are told of events"),
  Command.withSubcommands([add, list, remove, rotate, enable, test, replay, lowBalance])
)
