/**
 * The conformance suite of hosts: the interface over HTTP, on the sandbox of every channel.
 *
 * ```ts
 * import { cases } from "@watchword/server/conformance"
 *
 * for (const { name, check } of cases({ service })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, type CaseOf, bind } from "@watchword/conformance"
import * as Effect from "effect/Effect"
import type { Harness } from "./conformance/Harness.ts"
import { bodies } from "./conformance/bodies.ts"
import { calls } from "./conformance/calls.ts"
import { type Channel, builtIn } from "./conformance/channels.ts"
import { type Client, makeClient } from "./conformance/client.ts"
import { codes } from "./conformance/codes.ts"
import { endpoints } from "./conformance/endpoints.ts"
import { lists } from "./conformance/lists.ts"
import { random } from "./conformance/random.ts"
import { requests } from "./conformance/requests.ts"
import { sends } from "./conformance/sends.ts"

export type { Abilities, Harness, Target } from "./conformance/Harness.ts"
export { type Channel, builtIn } from "./conformance/channels.ts"

export const cases = ({ service, host, channels = builtIn }: Harness): ReadonlyArray<Case> =>
  bind(
    Effect.map(
      Effect.promise(async () => service()),
      (target) => makeClient(target, host)
    ),
    [
      ...channels.flatMap(onChannel),
      ...bodies(channels),
      ...(channels === builtIn ? ofOneChannel : []),
      ...requests,
      ...random
    ]
  )

const onChannel = (channel: Channel): ReadonlyArray<CaseOf<Client>> => [
  ...sends(channel),
  ...endpoints(channel),
  ...lists(channel)
]

/** What one channel of Watchword does and no other. */
const ofOneChannel: ReadonlyArray<CaseOf<Client>> = [...calls, ...codes]
