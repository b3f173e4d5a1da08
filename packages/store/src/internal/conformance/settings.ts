import { type AccountId, nextAccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, onAccount, reopened, same, together } from "./Case.ts"
import { AT, accountFor, atOnce, balance, balanceOf } from "./Fixtures.ts"

/** Writes a setting of an owner that exists. */
const write = (account: AccountId | null, name: string, value: string | null) =>
  Effect.map(
    Store.use((store) => store.changeSetting({ account, name, value })),
    (done) => same(`changeSetting of ${name}`, done, true)
  )

/** The settings of an owner, as pairs. */
const settingsOf = (account: AccountId | null) =>
  Effect.map(
    Store.use((store) => store.settings(account)),
    (settings) => settings.map(({ name, value }) => [name, value] as const)
  )

const owners = Effect.gen(function* () {
  return [null, yield* accountFor(1), yield* accountFor(1)] as const
})

export const settings = [
  check(
    "settings: each account has its own, and the installation too",
    Effect.gen(function* () {
      const all = yield* owners
      for (const owner of all) same("none at first", yield* settingsOf(owner), [])
      for (const [index, owner] of all.entries()) {
        yield* write(owner, "callers", `[${index}]`)
        yield* write(owner, `of ${index}`, "true")
      }
      for (const [index, owner] of all.entries()) {
        same("settings", yield* settingsOf(owner), [
          ["callers", `[${index}]`],
          [`of ${index}`, "true"]
        ])
      }
    })
  ),

  check(
    "settings: an account that does not exist has none, and gets none",
    Effect.gen(function* () {
      const store = yield* Store
      const account = nextAccountId(AT)
      yield* write(null, "guards", "{}")
      same("write", yield* store.changeSetting({ account, name: "callers", value: "[]" }), false)
      same("remove", yield* store.changeSetting({ account, name: "callers", value: null }), false)
      same("settings", yield* settingsOf(account), [])
      same("of the installation", yield* settingsOf(null), [["guards", "{}"]])
    })
  ),

  check(
    "changeSetting: replaces one setting, and leaves the others and the money as they are",
    Effect.gen(function* () {
      const [installation, account, other] = yield* owners
      for (const owner of [installation, account, other]) {
        yield* write(owner, "callers", "[1]")
        yield* write(owner, "guards", "{}")
      }
      yield* write(account, "callers", "[2]")
      yield* write(account, "callers", "[2]")
      same("of the account", yield* settingsOf(account), [
        ["callers", "[2]"],
        ["guards", "{}"]
      ])
      for (const owner of [installation, other]) {
        same("of others", yield* settingsOf(owner), [
          ["callers", "[1]"],
          ["guards", "{}"]
        ])
      }
      same("balance", yield* balanceOf(account), balance(1, 0))
    })
  ),

  check(
    "changeSetting: removes a setting with null, also one that is not there",
    Effect.gen(function* () {
      for (const owner of yield* owners) {
        yield* write(owner, "callers", "[1]")
        yield* write(owner, "guards", "null")
        for (let times = 0; times < 2; times++) {
          yield* write(owner, "callers", null)
          same("settings", yield* settingsOf(owner), [["guards", "null"]])
        }
        yield* write(owner, "callers", "[2]")
        same("again", yield* settingsOf(owner), [
          ["callers", "[2]"],
          ["guards", "null"]
        ])
      }
    })
  ),

  check(
    "settings: keeps names and values as they are, in the order of code points",
    Effect.gen(function* () {
      const values = [
        JSON.stringify({ text: "\u0000 \u001f \ud83d\ude00 Zürich \u2028", lone: "\ud800" }),
        ' { "b" : 1.10, "a" : [ ] } ',
        '{"a":1,"a":2}',
        "12345678901234567890.123456789",
        '""'
      ]
      const names = [
        "",
        "Block:+49",
        "__proto__",
        "block:+234",
        "block:+2348",
        "template:a'b\"c\\d:de",
        "workflow:ü%_*",
        "\uFFEE",
        "\u{1F511}"
      ]
      const written = names.map((name, index) => [name, values[index % values.length] ?? "null"] as const)
      for (const owner of yield* owners) {
        for (const [name, value] of written.toReversed()) yield* write(owner, name, value)
        same("settings", yield* settingsOf(owner), written)
      }
    })
  ),

  onAccount("settings: keeps a large value and two thousand names", { sends: 0 }, function* ({ account }) {
    const large = JSON.stringify({ list: Array.from({ length: 20_000 }, (_, index) => `+49151${index}`) })
    yield* write(account, "a", large)
    const blocks = Array.from({ length: 2_000 }, (_, index) => [`block:+${10_000 + index}`, `${index}`] as const)
    yield* Effect.forEach(blocks.toReversed(), ([name, value]) => write(account, name, value), { concurrency: 50 })
    same("settings", yield* settingsOf(account), [["a", large], ...blocks])
  }),

  check(
    "changeSetting: of changes at once each is kept, and of those of one name one",
    Effect.gen(function* () {
      const [, account] = yield* owners
      yield* atOnce(50, (index) => write(account, `template:${10 + index}:de`, "{}"))
      yield* atOnce(50, (index) => write(account, "callers", `[${index}]`))
      const found = yield* settingsOf(account)
      same("names", found.length, 51)
      const [callers] = found
      same("one of them", callers?.[0] === "callers" && /^\[\d+\]$/.test(callers[1] ?? ""), true)
    })
  )
]

/** For stores whose manifest says `durable`. */
export const lastingSettings = [
  reopened(
    "durable: settings are there",
    Effect.gen(function* () {
      const account = yield* accountFor(0)
      yield* write(null, "guards", "{}")
      for (const value of ["[1]", "[2]"]) yield* write(account, "callers", value)
      for (const value of ["{}", null]) yield* write(account, "guards", value)
      return account
    }),
    (account) =>
      Effect.gen(function* () {
        same("of the installation", yield* settingsOf(null), [["guards", "{}"]])
        same("of the account", yield* settingsOf(account), [["callers", "[2]"]])
      })
  )
]

/** For stores whose manifest says `shared`. */
export const sharedSettings = [
  together("shared: each reads the settings that the other has written", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(0)
      for (const value of ["[1]", "[2]"]) {
        yield* one.changeSetting({ account, name: "callers", value })
        same("written", yield* other.settings(account), [{ name: "callers", value }])
      }
      yield* other.changeSetting({ account, name: "callers", value: null })
      same("removed", yield* one.settings(account), [])
      const answers = yield* atOnce(40, (index) =>
        (index % 2 === 0 ? one : other).changeSetting({ account, name: `${10 + index}`, value: "{}" })
      )
      same("at once", [answers.every((done) => done), (yield* one.settings(account)).length], [true, 40])
    })
  )
]
