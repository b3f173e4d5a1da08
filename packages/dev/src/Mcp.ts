/**
 * Tools for agents that write an app, over the Model Context Protocol at `/mcp`.
 */
import { SetPhone } from "@watchword/schemas/SandboxPhone"
import { Verification, VerificationChecked, stepChannels } from "@watchword/schemas/Verification"
import type { HandlePromise } from "@watchword/server/Host"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Answer, Wanted } from "./Codes.ts"
import { toHandle } from "./webHandle.ts"

/** The functions of the tools. A request that cannot be answered rejects with `Refused`. */
export interface Tools {
  readonly nextCode: (wanted: Wanted) => Promise<Answer>
  readonly start: (session: string, to: string, channels?: ReadonlyArray<string>) => Promise<Verified>
  readonly check: (verificationId: string, code: string) => Promise<typeof VerificationChecked.Encoded>
  /** Takes the next step of a verification; unless named, of the newest pending verification. */
  readonly nextStep: (session: string, verificationId?: string) => Promise<Verified>
  readonly setPhone: (to: string, phone: typeof SetPhone.Encoded) => Promise<unknown>
  readonly phones: () => Promise<ReadonlyArray<unknown>>
  readonly why: (to: string) => Promise<string>
  /** The last event, or the last of one type; null before the first. */
  readonly lastEvent: (type?: string) => unknown
  readonly failNext: () => void
}

type Verified = typeof Verification.Encoded

export class Refused extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Seconds that `next_code` waits. */
const USUAL = 30
const LONGEST = 60

const to = Schema.String.check(Schema.isMinLength(4), Schema.isMaxLength(40)).annotateKey({
  description: "The phone number with its plus sign, such as +4915123456789."
})
const verificationId = Schema.String.check(Schema.isPattern(/^vrf_[0-9A-Z]{26}$/u))
const failure = Schema.Struct({ code: Schema.String, message: Schema.String })
const verification = Schema.Struct({ verification: Schema.toEncoded(Verification) })

/** A code as a phone shows it. */
const Shown = Schema.Struct({
  to: Schema.String,
  channel: Schema.String,
  code: Schema.String,
  text: Schema.NullOr(Schema.String),
  verification_id: Schema.NullOr(Schema.String),
  at: Schema.String
})

const nextCode = Tool.make("next_code", {
  description:
    "Returns the newest code that the app has sent and this session has not received yet, as the phone shows it: in an SMS, a " +
    "chat, or the last digits of a caller. If there is no such code, it waits. Call it after you submit the form or start a " +
    "verification. `note` says why no code was found.",
  parameters: Schema.Struct({
    to: Schema.optionalKey(to).annotateKey({
      description: "The phone number with its plus sign; any number by default."
    }),
    seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: LONGEST }))).annotateKey({
      description: `How long to wait, 1 to ${LONGEST} seconds; ${USUAL} by default.`
    })
  }),
  success: Schema.Struct({ found: Schema.NullOr(Shown), note: Schema.String }),
  failure,
  dependencies: [HttpServerRequest]
})
  .annotate(Tool.Title, "Next code")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

const start = Tool.make("start_verification", {
  description:
    "Starts a verification as the app's backend would, and sends its code in the sandbox. If a verification of the number is " +
    "pending, the same code is sent again. Call `next_code` for the code, and `check_code` to check it.",
  parameters: Schema.Struct({
    to,
    channels: Schema.optionalKey(
      Schema.Array(Schema.Literals(stepChannels)).check(Schema.isMinLength(1), Schema.isMaxLength(4))
    ).annotateKey({ description: "1 to 4 channels in the order of their steps; the account's own steps by default." })
  }),
  success: verification,
  failure,
  dependencies: [HttpServerRequest]
})
  .annotate(Tool.Title, "Start a verification")
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

const check = Tool.make("check_code", {
  description:
    "Checks a code as the app's backend would. A wrong code returns `valid: false` and uses up one of the verification's checks.",
  parameters: Schema.Struct({
    verification_id: verificationId.annotateKey({ description: "The id from start_verification or next_code." }),
    code: Schema.String.check(Schema.isMinLength(4), Schema.isMaxLength(40)).annotateKey({
      description: "The code: 4 to 10 digits."
    })
  }),
  success: Schema.toEncoded(VerificationChecked),
  failure
})
  .annotate(Tool.Title, "Check a code")
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

const nextStep = Tool.make("next_step", {
  description:
    "Takes the next step of a pending verification now, as if its time had come: the code is sent over the next channel of the plan.",
  parameters: Schema.Struct({
    verification_id: Schema.optionalKey(verificationId).annotateKey({
      description: "The id of the verification; the newest pending verification unless given."
    })
  }),
  success: verification,
  failure,
  dependencies: [HttpServerRequest]
})
  .annotate(Tool.Title, "Take the next step")
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

const { default_country: _, ...phone } = SetPhone.fields

const setPhone = Tool.make("set_phone", {
  description: "Sets how a phone of the sandbox answers calls and messages. Fields that you omit get their defaults.",
  parameters: Schema.Struct({ to, ...phone }),
  success: Schema.Struct({ phone: Schema.Unknown }),
  failure
})
  .annotate(Tool.Title, "Set a phone")
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

const phones = Tool.make("phones", {
  description: "Lists the sandbox phones that were set, and how each answers calls and messages.",
  success: Schema.Struct({ phones: Schema.Array(Schema.Unknown) })
})
  .annotate(Tool.Title, "Phones")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

const why = Tool.make("why", {
  description: "Explains what happened for a number, and why its user got no code.",
  parameters: Schema.Struct({ to }),
  success: Schema.Struct({ story: Schema.String }),
  failure
})
  .annotate(Tool.Title, "Why no code came")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

const lastEvent = Tool.make("last_event", {
  description: "Reads the last event as webhooks post it to the app. Null before the first event.",
  parameters: Schema.Struct({
    type: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(80))).annotateKey({
      description: "The type of the event, such as verification.approved; any unless given."
    })
  }),
  success: Schema.Struct({ event: Schema.Unknown })
})
  .annotate(Tool.Title, "Last event")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

const failNext = Tool.make("fail_next", {
  description: "Makes the gateway refuse the next send, so that you can see how the app handles a failure.",
  success: Schema.Struct({ armed: Schema.Boolean })
})
  .annotate(Tool.Title, "Fail the next send")
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

const toolkit = Toolkit.make(start, nextCode, check, nextStep, setPhone, phones, why, lastEvent, failNext)

/** The handle of `/mcp`, and its end. Browsers do not ask it: a request with an `Origin` is refused. */
export const make = (
  tools: Tools,
  version: string
): { readonly handle: HandlePromise; readonly close: () => Promise<void> } => {
  const { dispose, handler } = HttpRouter.toWebHandler(served(tools, version), { disableLogger: true })
  const bounded = bound((request) => handler(request))
  return { handle: toHandle(bounded), close: dispose }
}

/** The number of sessions that are kept. Clients that end without saying so leave theirs. */
const SESSIONS = 100

/** Ends the oldest session for each one above the limit. */
const bound = (handler: (request: Request) => Promise<Response>) => {
  const sessions = new Set<string>()
  return async (request: Request): Promise<Response> => {
    const response = await handler(request)
    const session = response.headers.get(SESSION)
    if (session === null || sessions.has(session)) return response
    sessions.add(session)
    const [oldest] = sessions
    if (oldest === undefined || sessions.size <= SESSIONS) return response
    sessions.delete(oldest)
    await handler(new Request(request.url, { method: "DELETE", headers: { [SESSION]: oldest } }))
    return response
  }
}

const SESSION = "mcp-session-id"

const served = (tools: Tools, version: string) =>
  McpServer.layerHttp({
    name: "watchword",
    version,
    path: "/mcp",
    allowSessionTermination: true,
    instructions:
      "Watchword's development server: nothing is sent, nothing is paid. Submit the app's form, or call start_verification; " +
      "then next_code reads the code that the user would get; enter it, or call check_code.",
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
    registrations: McpServer.toolkit(toolkit).pipe(
      Layer.provide(
        toolkit.toLayer({
          start_verification: ({ channels, to }) =>
            inSession((session) => asked(async () => ({ verification: await tools.start(session, to, channels) }))),
          next_code: ({ seconds = USUAL, to }) =>
            inSession((session) => asked((signal) => tools.nextCode({ session, seconds, signal, to: to ?? null }))),
          check_code: ({ code, verification_id }) => asked(() => tools.check(verification_id, code)),
          next_step: ({ verification_id }) =>
            inSession((session) =>
              asked(async () => ({ verification: await tools.nextStep(session, verification_id) }))
            ),
          set_phone: ({ to, ...phone }) => asked(async () => ({ phone: await tools.setPhone(to, phone) })),
          phones: () => Effect.promise(async () => ({ phones: await tools.phones() })),
          why: ({ to }) => asked(async () => ({ story: await tools.why(to) })),
          last_event: ({ type }) => Effect.sync(() => ({ event: tools.lastEvent(type) })),
          fail_next: () => Effect.sync(() => (tools.failNext(), { armed: true }))
        })
      )
    )
  })

/** Calls with the MCP session of the request. */
const inSession = <A, E>(call: (session: string) => Effect.Effect<A, E>) =>
  Effect.flatMap(HttpServerRequest, ({ headers }) => call(headers[SESSION] ?? ""))

const asked = <A>(ask: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, typeof failure.Type> =>
  Effect.tryPromise({ try: ask, catch: (error) => error }).pipe(
    Effect.catch((error) =>
      error instanceof Refused ? Effect.fail({ code: error.code, message: error.message }) : Effect.die(error)
    )
  )
