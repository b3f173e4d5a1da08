/**
 * A service in a process of its own, on a database that it shares with others: `fork("program.ts", [ADDRESS, FATE])`.
 * It does what its parent asks for, and tells its parent of each SMS that its gateway is given. FATE is `taken`, or
 * `silent` for a gateway that never answers; it takes its time with texts to {@link SLOW}.
 */
import { accepted } from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createWatchword, isWatchwordError } from "watchword"
import { layerOf } from "../stores/layerOf.ts"
import { type Asked, SLOW, type Told } from "./protocol.ts"

const tell = (told: Told): void => void process.send?.(told)

const [address = "", fate] = process.argv.slice(2)

const gateway = SmsGateway.of({
  send: ({ delivery, text, to }) =>
    Effect.suspend(() => {
      // GSM 7-bit has the octets of ASCII for the characters of these texts.
      const octets = text.parts.flatMap((part) => [...part])
      tell({ _tag: "Sent", delivery, to, text: String.fromCharCode(...octets) })
      if (fate === "silent") return Effect.never
      return Effect.delay(Effect.succeed(accepted([delivery])), to.startsWith(SLOW) ? 400 : 0)
    }),
  events: () => Effect.void,
  health: Effect.succeed([])
})

const service = await createWatchword({
  store: layerOf(address),
  sms: Layer.succeed(SmsGateway, gateway),
  prices: { sms: { "*": 0.05 } },
  secret: Redacted.make("a secret that all processes of the installation have")
})

const answerTo = (asked: Asked): Promise<unknown> => {
  switch (asked._tag) {
    case "send":
      return service.sms.send(asked.account, asked.body)
    case "start":
      return service.verify.start(asked.account, asked.body)
    case "check":
      return service.verify.check(asked.account, asked.id, asked.body)
    case "get":
      return service.verify.get(asked.account, asked.id)
  }
}

process.on("message", (asked: Asked) => {
  answerTo(asked).then(
    (answer) => tell({ _tag: "Answered", n: asked.n, answer }),
    (error: unknown) =>
      tell({
        _tag: "Failed",
        n: asked.n,
        code: isWatchwordError(error) ? error.code : String(error)
      })
  )
})
process.on("disconnect", () => void service.dispose())
tell({ _tag: "Ready" })
