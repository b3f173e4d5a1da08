/**
 * The commands on operators themselves: tokens for the operators' API, and the link that opens the console.
 */
import { NotFound } from "@watchword/schemas/Errors"
import { DAY, durations, field, optional, toDuration } from "@watchword/schemas/Field"
import { OperatorId, timeOfUlid } from "@watchword/schemas/Ids"
import * as Command from "../command/Command.ts"
import { Store } from "@watchword/store/Store"
import { valueOf } from "../command/Entries.ts"
import { Moment, as, maybeTime, wire } from "../command/Wire.ts"
import * as ConsoleAddress from "./ConsoleAddress.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Operators from "../identity/Operators.ts"

const Name = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?=.*\\S)[^\\p{Cc}\\p{Surrogate}]{1,${Operators.NAME}}$`, "u"), {
    message: `must have 1 to ${Operators.NAME} characters and no control characters`
  })
)

const name = field(Name, "The person's name, as the operators' log records it")

const YEAR = 366 * DAY

const lasting = durations(
  {
    text: "must be a time such as 12h or 90d, at most 366d",
    seconds: `must be whole seconds, 1 to ${YEAR / 1000} (366 days)`
  },
  (text) => {
    const duration = toDuration(text)
    return duration <= YEAR ? duration : Number.NaN
  }
)

/** In seconds. */
const NINETY_DAYS = 90 * 86_400

const id = as(
  {
    example: "OPERATOR",
    read: Schema.decodeUnknownSync(OperatorId),
    expected: "the id of an operator's token, opr_… and 26 letters and digits"
  },
  field(OperatorId, "The token's id, opr_…")
)

export const grant = Command.make({
  name: ["operator", "grant"],
  description: "Create a token for the operators' API and the console, and show it once",
  role: "admin",
  hidden: ["token"],
  input: wire({
    name,
    role: field(Operators.Roles, "Its role: support reads, operator also changes, admin also revokes and erases"),
    for: as({ example: "90d" }, optional(lasting, "How long it works; 90d by default"))
  }),
  output: wire({ id: OperatorId, token: Schema.String, expiresAt: Moment }),
  run: ({ for: lasting = NINETY_DAYS, name, role }) =>
    Effect.map(Operators.grant(name, role, lasting * 1000), ({ granted: { expiresAt, id }, secret }) => ({
      id,
      token: Redacted.value(secret),
      expiresAt
    })),
  lines: ({ expiresAt, id, token }) => [
    `Token ${id}, until ${new Date(expiresAt).toISOString()}:`,
    token,
    "It will not be shown again."
  ]
})

export const list = Command.make({
  name: ["operator", "list"],
  description: "List operator tokens, and sessions opened by links",
  role: "admin",
  isLogged: false,
  input: wire({}),
  output: wire({
    operators: Schema.Array(
      wire({
        id: OperatorId,
        name: Schema.String,
        role: Operators.Roles,
        kind: field(Schema.Literals(["token", "link"]), "A link signs a browser in once and works for a minute."),
        createdAt: Moment,
        expiresAt: Moment
      })
    )
  }),
  run: () => Effect.map(Operators.list, (operators) => ({ operators })),
  lines: ({ operators }) =>
    operators.map(({ expiresAt, id, kind, name, role }) =>
      [id, name, role, kind, `until ${new Date(expiresAt).toISOString()}`].join("  ")
    )
})

export const revoke = Command.make({
  name: ["operator", "revoke"],
  description: "Revoke an operator's token and the sessions that it opened",
  role: "admin",
  input: wire({ id }),
  positional: ["id"],
  output: wire({ id: OperatorId, revoked: Schema.Boolean }),
  before: ({ id }) =>
    Effect.map(Operators.find(id), (found) => (found === null ? null : { name: found.name, role: found.role })),
  run: Effect.fnUntraced(function* ({ id }) {
    if (!(yield* Operators.revoke(id))) return yield* new NotFound({ message: "There is no such token." })
    return { id, revoked: true }
  }),
  lines: ({ id }) => [`Token ${id} is revoked; running servers refuse it within a second.`]
})

const MOST = 200

export const log = Command.make({
  name: ["operator", "log"],
  description: "Show operators' changes, one line of JSON each, newest first",
  role: "admin",
  isLogged: false,
  input: wire({
    since: maybeTime("Only entries from this time on"),
    before: as({ example: "ID" }, optional(Schema.String, "Only entries before this id: `next` of the previous page")),
    limit: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST })),
      `How many to show, up to ${MOST}, which is the default`
    )
  }),
  output: wire({
    entries: Schema.Array(
      wire({
        id: Schema.String,
        at: Moment,
        who: field(Schema.String, "The operator's name, which others may have too."),
        identity: field(
          Schema.NullOr(Schema.String),
          "Unique, unlike the name: the id of a token or a link, or the user of the proxy, the app or the machine."
        ),
        by: field(Schema.String, "Where the command ran: api, console, command or program."),
        command: Schema.String,
        input: field(Schema.Unknown, "Its input without secrets."),
        outcome: field(
          Schema.NullOr(Schema.String),
          "`done`, or an error code; null while it runs, and if its process ended before it did."
        ),
        before: field(Schema.Unknown, "The value before the change; null if there was none."),
        output: field(Schema.Unknown, "The plain values of its output without secrets.")
      })
    ),
    next: field(Schema.NullOr(Schema.String), "The `before` of the next page; null on the last page.")
  }),
  run: Effect.fnUntraced(function* ({ before = null, limit = MOST, since }) {
    const found = yield* Store.use((store) =>
      store.logEntries({ since: since?.getTime() ?? 0, before, limit: limit + 1 })
    )
    const entries = found.slice(0, limit).map(({ input, output, ...operation }) => ({
      ...operation,
      at: timeOfUlid(operation.id),
      input: valueOf(input),
      ...apart(output)
    }))
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
  }),
  lines: ({ entries }) =>
    entries.map(({ at, ...entry }) => JSON.stringify({ at: new Date(at).toISOString(), ...entry }))
})

/** A command's operator and its changes, apart from its output. */
const apart = (json: string | null) => {
  const value = json === null ? null : valueOf(json)
  if (typeof value !== "object" || value === null) return { identity: null, before: null, output: value }
  const { before = null, identity = null, ...output }: Readonly<Record<string, unknown>> = { ...value }
  return {
    identity: identity === null ? null : String(identity),
    before,
    output: Object.keys(output).length === 0 ? null : output
  }
}

/** Where the console of the installation is, with a slash at its end; null if no server is known to serve one. */
export const ConsoleUrl = Context.Reference<string | null>("@watchword/operator/ConsoleUrl", {
  defaultValue: () => null
})

export const openConsole = Command.make({
  name: ["console", "open"],
  description: "Print a link that signs a browser in to the console; it works once, for a minute",
  role: "admin",
  absent: { http: "its link signs in without a token, so only a user with access to the database may create it" },
  hidden: ["link"],
  input: wire({
    name: optional(Name, "The name for the operators' log; by default the user of the machine"),
    role: optional(Operators.Roles, "The session's role; admin by default")
  }),
  output: wire({
    id: field(OperatorId, "The id of the session; `operator revoke` ends it."),
    link: Schema.String,
    until: field(Moment, "When the link stops working.")
  }),
  run: Effect.fnUntraced(function* ({ name = "console", role = "admin" }) {
    const url = (yield* ConsoleUrl) ?? (yield* ConsoleAddress.read) ?? ""
    const { granted, secret } = yield* Operators.openLink(name, role)
    const until = granted.createdAt + Operators.LINK
    return { id: granted.id, link: `${url}#link=${Redacted.value(secret)}`, until }
  }),
  lines: ({ link }) => [
    link,
    link.startsWith("#")
      ? "Append this to the console's address and open it; it works once, for a minute."
      : "It works once, for a minute."
  ]
})
