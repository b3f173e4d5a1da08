/**
 * The scope of a service, for parts that begin after its start and end before its store does.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { Scope } from "effect/Scope"

export class ServiceScope extends Context.Service<ServiceScope, Scope>()("watchword/ServiceScope") {}

export const layer: Layer.Layer<ServiceScope> = Layer.effect(ServiceScope, Scope)
