/**
 * The gateway that an app gives a channel, as `smpp({ url })` makes it.
 */
import type * as Layer from "effect/Layer"

/**
 * A gateway for the option of its channel: `createWatchword({ sms: smpp({ url }), … })`. It connects when the service
 * starts. For programs written with Effect it is a layer of the channel's gateway.
 *
 * @typeParam Of the gateway of the channel, such as `SmsGateway`
 * @typeParam Error the errors by which it may fail to open
 */
export interface Gateway<in Of, out Error = never> extends Layer.Layer<Of, Error> {}
