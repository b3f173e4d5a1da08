/**
 * Tools for agents that write an app, over the Model Context Protocol at `/mcp`.
 */
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { HandlePromise } from "@watchword/server/Host"
import { toHandle } from "./webHandle.ts"

/** What the tools do. */
export interface Tools {
  /** The next message or call with a code, for a number or for any; null where none comes in time. */
  readonly nextCode: (to: string | null, seconds: number) => Promise<typeof Shown.Type | null>
  readonly phones: () => Promise<ReadonlyArray<unknown>>
  readonly why: (number: string) => Promise<string>
  readonly failNext: () => void
}

/** A code as a phone shows it. */
const Shown = Schema.Struct({
  to: Schema.String,
  channel: Schema.String,
  code: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  verification: Schema.NullOr(Schema.String)
})

const nextCode = Tool.make("next_code", {
  description:
    "Waits for the next code that the app sends, and gives it as the phone shows it: by SMS, chat, or as the last digits of a caller.",
  parameters: Schema.Struct({
    to: Schema.optionalKey(Schema.String.annotate({ description: "The number in E.164; any unless given." })),
    seconds: Schema.optionalKey(Schema.Int.annotate({ description: "How long to wait, 1 to 60; 30 unless given." }))
  }),
  success: Schema.Struct({ found: Schema.NullOr(Shown) })
})

const phones = Tool.make("phones", {
  description: "The phones of the sandbox, with how each answers calls and messages.",
  success: Schema.Struct({ phones: Schema.Array(Schema.Unknown) })
})

const why = Tool.make("why", {
  description: "Tells what happened for a number, and why its user got no code.",
  parameters: Schema.Struct({ number: Schema.String.annotate({ description: "The number in E.164." }) }),
  success: Schema.Struct({ story: Schema.String })
})

const failNext = Tool.make("fail_next", {
  description: "Has the gateway refuse the next send, so that the app's handling of a failure is seen.",
  success: Schema.Struct({ armed: Schema.Boolean })
})

const toolkit = Toolkit.make(nextCode, phones, why, failNext)

/** Seconds that `next_code` waits. */
const USUAL = 30
const LONGEST = 60

/** The handle of `/mcp`, and its end. Browsers do not ask it: a request with an `Origin` is refused. */
export const make = (
  tools: Tools,
  version: string
): { readonly handle: HandlePromise; readonly close: () => Promise<void> } => {
  const { dispose, handler } = HttpRouter.toWebHandler(served(tools, version), { disableLogger: true })
  return { handle: toHandle((request) => handler(request)), close: dispose }
}

const served = (tools: Tools, version: string) =>
  McpServer.layerHttp({
    name: "watchword",
    version,
    path: "/mcp",
    instructions:
      "Watchword's development server. Start a verification in the app, then call next_code to read the code that its user would get.",
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26],
    registrations: McpServer.toolkit(toolkit).pipe(
      Layer.provide(
        toolkit.toLayer({
          next_code: ({ seconds = USUAL, to = null }) =>
            Effect.promise(async () => ({
              found: await tools.nextCode(to, Math.min(Math.max(seconds, 1), LONGEST))
            })),
          phones: () => Effect.promise(async () => ({ phones: await tools.phones() })),
          why: ({ number }) => Effect.promise(async () => ({ story: await tools.why(number) })),
          fail_next: () => Effect.sync(() => (tools.failNext(), { armed: true }))
        })
      )
    )
  })
