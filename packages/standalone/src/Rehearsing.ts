/**
 * The command line's parts for rehearsals: readers of carriers' answers, and the carriers of the settings for a
 * rehearsal without a server, where the command connects to one of them, and leaves.
 */
import { CallGateway } from "@watchword/call/CallGateway"
import { sipReader } from "@watchword/call/carriers"
import { BadRequest, ServiceUnavailable } from "@watchword/schemas/Errors"
import { type Known, OwnCarriers, Readers, type Rehearsal } from "@watchword/send/rehearsal"
import { smppReader } from "@watchword/sms/carriers"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import * as Carriers from "./Carriers.ts"
import type { Carrier } from "./settings/CarrierEntry.ts"
import type { Environment } from "./settings/Reading.ts"
import * as Settings from "./settings/Settings.ts"

interface Openable extends Known {
  readonly open: Effect.Effect<Opened, BadRequest | ServiceUnavailable, Scope>
}

interface Opened {
  readonly rehearsal?: Rehearsal
  readonly health: Effect.Effect<ReadonlyArray<{ readonly up: boolean }>>
}

export const readers: Layer.Layer<never> = Layer.succeed(Readers, { smpp: smppReader, sip: sipReader })

export const own = (environment: Environment): Layer.Layer<never> =>
  Layer.succeed(
    OwnCarriers,
    Effect.suspend(() => {
      const read = openable(environment)
      if (Result.isFailure(read)) return Effect.fail(new BadRequest({ message: read.failure.message }))
      return Effect.succeed({ carriers: read.success, open: (carrier: Known) => connected(read.success, carrier) })
    })
  )

const openable = (environment: Environment) =>
  Result.gen(function* () {
    const { carriers, sip, smpp, smsHttp } = yield* Settings.gateways(environment)
    const named = Option.match(carriers, { onNone: () => [], onSome: ({ carriers }) => carriers })
    const all: Array<Openable> = named.map(ofFile)
    for (const { carrier, host } of Option.getOrNull(smpp)?.links ?? []) {
      const layer = Effect.promise(async () => (await import("@watchword/sms/smpp")).layer(Option.getOrThrow(smpp)))
      all.push({ channel: "sms", name: carrier || host, by: "smpp", open: opened(SmsGateway, layer) })
    }
    for (const { carrier, host } of Option.getOrNull(sip)?.trunks ?? []) {
      const layer = Effect.promise(async () => (await import("@watchword/call/sip")).layer(Option.getOrThrow(sip)))
      all.push({ channel: "call", name: carrier ?? host, by: "sip", open: opened(CallGateway, layer) })
    }
    if (Option.isSome(smsHttp)) {
      const { provider } = smsHttp.value
      all.push({ channel: "sms", name: provider, by: null, open: Effect.fail(notOpened("it is over HTTP")) })
    }
    return all
  })

const ofFile = (carrier: Carrier): Openable => {
  const { channel, name } = carrier
  if (carrier.channel === "call") {
    return {
      channel,
      name,
      by: "sip",
      open: opened(
        CallGateway,
        Effect.promise(() => Carriers.calling(carrier))
      )
    }
  }
  const by = carrier.by._tag === "Smpp" ? "smpp" : null
  return {
    channel,
    name,
    by,
    open: opened(
      SmsGateway,
      Effect.promise(() => Carriers.texting(carrier))
    )
  }
}

const opened = <Id>(
  port: Context.Key<Id, Opened>,
  layer: Effect.Effect<Layer.Layer<Id, { readonly message: string }>>
): Openable["open"] =>
  Effect.flatMap(layer, (layer) =>
    Effect.map(
      Effect.mapError(Layer.build(layer), ({ message }) => notOpened(message)),
      (context) => Context.get(context, port)
    )
  )

const notOpened = (message: string) => new BadRequest({ message: `The carrier cannot be connected to: ${message}` })

/** How long a bind may take. */
const BIND = "15 seconds"

const connected = Effect.fnUntraced(function* (all: ReadonlyArray<Openable>, { channel, name }: Known) {
  const found = all.find((each) => each.name === name && each.channel === channel)
  if (found === undefined) return yield* notOpened("the settings have changed")
  const { health, rehearsal } = yield* found.open
  if (rehearsal === undefined) return yield* notOpened("it does not rehearse")
  const isUp = Effect.map(health, (connections) => connections.some(({ up }) => up))
  const up = yield* Effect.timeoutOption(
    Effect.repeat(Effect.andThen(Effect.sleep(50), isUp), { until: (up) => up }),
    BIND
  )
  if (Option.isSome(up)) return named(rehearsal, name)
  return yield* new ServiceUnavailable({
    message: `${name} has not let this command bind within 15 seconds. Nothing was sent; \`watchword check\` says why.`
  })
})

/** A carrier of the file is the only one in its gateway, where it may have another name. */
const named = (rehearsal: Rehearsal, name: string): Rehearsal => ({
  ...rehearsal,
  run: (trial, hear) =>
    Effect.flatMap(rehearsal.carriers, (carriers) => {
      const own = carriers.find((each) => each.name === name) ?? carriers[0]
      return rehearsal.run({ ...trial, carrier: own?.name ?? name }, hear)
    })
})
