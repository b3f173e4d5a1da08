/**
 * Events of a service: its watchers, its handlers, and the dispatcher that sends the stored events.
 */
import type { Any } from "@watchword/send/channel/Features"
import {
  Descriptions,
  type Dispatcher,
  type Handlers,
  WebhookSender,
  dispatcherLayer,
  endpointsLayer,
  handlersLayer,
  makeWebhookSender,
  watchingLayer
} from "@watchword/events/Events"
import type { DeliveryChanges, InstallationSecret, Watchers } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Layer from "effect/Layer"

export interface Options {
  /** Whether webhooks may go to private, loopback and link-local addresses; false unless given. */
  readonly allowPrivate?: boolean
  /** The DNS servers that Node asks, such as `192.0.2.1:53`; the system's unless given. */
  readonly nameServers?: ReadonlyArray<string>
}

export const layer = (
  options: Options = {},
  channels: ReadonlyArray<Any<unknown>>
): Layer.Layer<Dispatcher | Handlers | Watchers, never, DeliveryChanges | InstallationSecret | Settings | Store> =>
  Layer.merge(dispatcherLayer, watchingLayer).pipe(
    Layer.provide(endpointsLayer),
    Layer.provideMerge(handlersLayer),
    // Operators also ask these which types exist and which are refused.
    Layer.provideMerge(Layer.succeed(Descriptions, descriptions(channels))),
    Layer.provideMerge(Layer.succeed(WebhookSender, makeWebhookSender(options)))
  )

const descriptions = (features: ReadonlyArray<Any<unknown>>) =>
  new Map(
    features.flatMap(({ events, products }) =>
      events === null ? [] : products.map(({ name }) => [name, events] as const)
    )
  )
