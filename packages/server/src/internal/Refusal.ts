/**
 * The answer of a host to a request that it does not hand over.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { ApiRequest } from "../http/ApiRequest.ts"
import { envelope } from "../http/Failures.ts"
import type { HostRequest, HostResponse } from "../Host.ts"

/** The envelope of a 400, with the request's id. */
export const badRequest = (request: HostRequest, message: string): HostResponse =>
  envelope(new BadRequest({ message }), new ApiRequest(request))
