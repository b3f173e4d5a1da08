/**
 * Answers to requests that have no route, with what to do about each: another method, another path.
 */
import { NotFound } from "@watchword/schemas/Errors"
import type { HttpMethod } from "effect/http/HttpMethod"
import type { HostResponse } from "../Host.ts"
import type { ApiRequest } from "./ApiRequest.ts"
import { envelope, jsonResponse, noEndpoint } from "./Failures.ts"

/** The part of a router that tells whether there is a route. */
interface Router {
  readonly find: (method: string, path: string) => unknown
}

/** @param methods the methods of all routes */
export const answerOf = (
  router: Router,
  methods: ReadonlySet<HttpMethod>
): ((request: ApiRequest, path: string) => HostResponse) => {
  const allowed = (path: string) => [...methods].filter((method) => router.find(method, path) !== undefined)

  return (request, path) => {
    const others = allowed(path)
    if (others.length > 0) return wrongMethod(request, others)
    const [resource = ""] = path.split("?", 1)
    if (DESCRIBED.has(resource)) return envelope(described, request)
    const isSlashed = resource.endsWith("/") && allowed(resource.replace(/\/+$/, "")).length > 0
    return envelope(isSlashed ? slashed : noEndpoint, request)
  }
}

/** 405 (RFC 9110 §15.5.6). The answer to a browser's preflight says why it is refused. */
export const wrongMethod = (request: ApiRequest, allowed: ReadonlyArray<string>): HostResponse => {
  request.refusal = { code: "METHOD_NOT_ALLOWED" }
  const answer = jsonResponse(request, 405, {
    error: "METHOD_NOT_ALLOWED",
    message: request.method === "OPTIONS" ? NO_CORS : `The method must be ${allowed.join(" or ")}.`,
    request_id: request.requestId
  })
  return { ...answer, headers: { ...answer.headers, allow: allowed.join(", ") } }
}

const NO_CORS =
  "Pages on other origins cannot call this interface (it sends no CORS headers), because an API key is a secret: call it from your server."

/** Where people look for a description first. */
const DESCRIBED: ReadonlySet<string> = new Set(["", "/", "/docs", "/docs/", "/openapi.json"])

const described = new NotFound({
  message:
    "There is no such endpoint. A host that describes the interface does so at /docs and /openapi.json of its root."
})

const slashed = new NotFound({ message: "There is no such endpoint: leave out the slash at the end of the path." })
