/**
 * The page before there is a phone: what to do.
 */
import { faceOf, now } from "../kit/clock.ts"
import { Copy } from "../kit/Copy.tsx"
import { session } from "./session.ts"

export const Empty = () => {
  const command = commandOf(session.value?.base ?? "../v1")
  return (
    <div class="empty">
      <div class="phone ghost" aria-hidden="true">
        <div class="screen wall" data-wall="0">
          <div class="status" />
          <div class="lock">
            <p class="face">{faceOf(now.value)}</p>
            <i />
            <i />
          </div>
        </div>
      </div>
      <div>
        <h2>No phone yet</h2>
        <p>
          Start a verification in your app, and its phone appears here. You can also enter a number above to add a
          phone, or send one a code from a terminal:
        </p>
        <pre tabIndex={0}>{command}</pre>
        <Copy text={command} label="Copy command" />
      </div>
    </div>
  )
}

const commandOf = (base: string): string =>
  [
    `curl ${new URL(`${base}/verifications`, location.href).href} \\`,
    `  -H "x-account-id: $WATCHWORD_ACCOUNT_ID" \\`,
    `  -H "x-api-key: $WATCHWORD_API_KEY" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"to": "+4915123456789"}'`
  ].join("\n")
