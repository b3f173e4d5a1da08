/**
 * The HTTP interface as one value: the source of routes, of the OpenAPI document and of the client for Effect.
 * Paths are relative to the service's base address, which ends in the version (`/v1`).
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  BizchatGroup,
  CallGroup,
  ChatgwGroup,
  RequestsGroup,
  SandboxGroup,
  SmsGroup,
  VerifyGroup
} from "./groups/index.ts"
import { describeWhole } from "./internal/Document.ts"

export { describe, describeWhole } from "./internal/Document.ts"

export class Api extends HttpApi.make("watchword")
  .add(VerifyGroup, CallGroup, SmsGroup, ChatgwGroup, BizchatGroup, SandboxGroup, RequestsGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Watchword",
      version: "1",
      description:
        "One-time passcodes to a phone, over four channels behind one interface, and verifications over all of them.",
      license: { name: "MIT", identifier: "MIT" },
      transform: describeWhole({})
    })
  ) {}
