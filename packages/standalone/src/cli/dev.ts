/**
 * The command that runs a development server.
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { call } from "../settings/CallSettings.ts"
import { bizchat, chatgw } from "../settings/ChatgwSettings.ts"
import type { Environment } from "../settings/Reading.ts"
import { isSet } from "../settings/Setting.ts"
import * as SmsSettings from "../settings/SmsSettings.ts"
import { mistake, root } from "./root.ts"

const place = (name: string, text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(null),
    onSome: (given) => {
      const [, port] = /^(?:127\.0\.0\.1|localhost)?:?(\d{1,5})$/.exec(given) ?? []
      return port === undefined || Number(port) > 65_535
        ? Effect.fail(mistake(`--${name} must be a port of this machine, such as :2775.`))
        : Effect.succeed({ host: "127.0.0.1", port: Number(port) })
    }
  })

const address = (text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(null),
    onSome: (given) =>
      URL.canParse(given) && /^https?:/.test(given)
        ? Effect.succeed(given)
        : Effect.fail(mistake("--forward must be an address such as http://localhost:3000/hooks."))
  })

/** The settings of carriers that are set: a development server has no carrier. */
const ignored = (environment: Environment): ReadonlyArray<string> =>
  [...[call, chatgw, bizchat].flatMap((group) => Object.values(group)), ...SmsSettings.settings]
    .filter(({ name }) => isSet(environment, name))
    .map(({ name }) => name)

/** @param version of the package */
export const dev = (version: string) =>
  Command.make(
    "dev",
    {
      port: Flag.Int("port").pipe(
        Flag.withDescription("The port; if it is in use, the next free port"),
        Flag.withDefault(8585)
      ),
      forward: Flag.String("forward").pipe(
        Flag.withDescription("Post all events, signed, to an address such as http://localhost:3000/hooks"),
        Flag.optional
      ),
      db: Flag.Boolean("db").pipe(
        Flag.withDescription("Keep records in .watchword/dev.db; in memory without it"),
        Flag.withDefault(false)
      ),
      emulator: Flag.Boolean("emulator").pipe(
        Flag.withDescription("Deliver texts and calls to a running Android emulator too"),
        Flag.withDefault(false)
      ),
      smpp: Flag.String("smpp").pipe(
        Flag.withDescription("Act as a carrier for any SMPP client on a port, such as :2775"),
        Flag.optional
      ),
      sip: Flag.String("sip").pipe(
        Flag.withDescription("Be a phone for any SIP client at a port, such as :5060"),
        Flag.optional
      ),
      hostName: Flag.String("host-name").pipe(
        Flag.withDescription("A host name to accept in addition to the loopback names"),
        Flag.optional
      ),
      command: Argument.String("command").pipe(
        Argument.withDescription("A program behind --, which starts with the credentials in its environment"),
        Argument.variadic({ min: 0 })
      )
    },
    ({ command, db, emulator, forward, hostName, port, sip, smpp }) =>
      Effect.gen(function* () {
        const { json } = yield* root
        if (port < 0 || port > 65_535) return yield* mistake("--port must be 0 to 65535.")
        const options = {
          port,
          db,
          emulator,
          command,
          json,
          version,
          forward: yield* address(forward),
          smpp: yield* place("smpp", smpp),
          sip: yield* place("sip", sip),
          ignored: ignored(process.env),
          hostNames: Option.toArray(hostName)
        }
        // It handles signals itself: it ends its child program first, and exits with the child's code.
        return yield* Effect.tryPromise({
          try: async () => process.exit(await (await import("@watchword/dev")).run(options)),
          catch: (error) => mistake(error instanceof Error ? error.message : String(error))
        }).pipe(Effect.uninterruptible)
      })
  ).pipe(
    Command.withDescription("Run the service on its sandbox for an app on this machine, with telephones on the screen")
  )
