/**
 * The calls of a phone.
 */
import type { PhoneCall } from "@watchword/client"
import { timeOf } from "../../kit/clock.ts"
import { Copy } from "../../kit/Copy.tsx"
import { endOf } from "../attempts.ts"
import { AppIcon, Caller, Head, Nothing } from "./App.tsx"
import type { Go } from "./View.ts"

export const Recents = ({ calls, go }: { readonly calls: ReadonlyArray<PhoneCall>; readonly go: Go }) => {
  const code = calls[0]?.code ?? null
  return (
    <div class="inside">
      <Head title="Calls" back={{ screen: "home" }} go={go} />
      {calls.length === 0 ? (
        <Nothing>No calls yet. A verification with a “call” step rings here.</Nothing>
      ) : (
        <ul class="rows" tabIndex={0} role="region" aria-label="Calls">
          {calls.map((call) => (
            <li key={call.id} class="row">
              <AppIcon name="call" />
              <span class="from">
                <Caller call={call} />
                <time>{timeOf(call.at)}</time>
              </span>
              <span class="text">{endOf(call)}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="foot">{code !== null && <Copy text={code} label={`Copy ${code}`} class="wide" />}</div>
    </div>
  )
}
