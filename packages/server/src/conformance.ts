/**
 * The conformance suite of hosts: the interface over HTTP, on the sandbox of every channel.
 *
 * ```ts
 * import { cases } from "@watchword/server/conformance"
 *
 * for (const { name, check } of cases({ service })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, type CaseOf, bind } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import type { Harness } from "./internal/conformance/Harness.ts"
import { bodies } from "./internal/conformance/bodies.ts"
import { calls } from "./internal/conformance/calls.ts"
import { type Channel, builtIn } from "./internal/conformance/channels.ts"
import { type Client, makeClient } from "./internal/conformance/client.ts"
import { codes } from "./internal/conformance/codes.ts"
import { endpoints } from "./internal/conformance/endpoints.ts"
import { inbox } from "./internal/conformance/inbox.ts"
import { lists } from "./internal/conformance/lists.ts"
import { ofMounts } from "./internal/conformance/mounts.ts"
import { phones } from "./internal/conformance/phones.ts"
import { random } from "./internal/conformance/random.ts"
import { requests } from "./internal/conformance/requests.ts"
import { sends } from "./internal/conformance/sends.ts"
import { verifications } from "./internal/conformance/verifications.ts"

export type { Abilities, Harness, Target } from "./internal/conformance/Harness.ts"
export { type Channel, builtIn } from "./internal/conformance/channels.ts"

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

/** Ten cases, which differ from mount to mount, for a further mount of a host whose first mount passes all cases. */
export const mountCases = (harness: Omit<Harness, "channels">): ReadonlyArray<Case> => ofMounts(cases(harness))

const onChannel = (channel: Channel): ReadonlyArray<CaseOf<Client>> => [
  ...sends(channel),
  ...endpoints(channel),
  ...lists(channel),
  ...inbox(channel)
]

/** Behaviour of single channels. */
const ofOneChannel: ReadonlyArray<CaseOf<Client>> = [...calls, ...codes, ...phones, ...verifications]
