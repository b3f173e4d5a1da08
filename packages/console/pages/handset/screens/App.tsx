/**
 * Parts that several screens have.
 */
import type { PhoneCall } from "@watchword/client"
import { Icon, type IconName } from "../../kit/Icon.tsx"
import type { Go, View } from "./View.ts"

/** The picture of an app. */
export const AppIcon = ({ name, label }: { readonly name: IconName; readonly label?: string }) => (
  <span class={`app ${name}`}>
    <Icon name={name} />
    {label !== undefined && <span class="visually-hidden">{label}</span>}
  </span>
)

/** The head of an app, with the way back. */
export const Head = (given: {
  readonly title: string
  readonly note?: string
  readonly back: View
  readonly go: Go
}) => (
  <header class="head">
    <button type="button" class="round" aria-label="Back" onClick={() => given.go(given.back)}>
      <Icon name="back" />
    </button>
    <div>
      <h3>{given.title}</h3>
      {given.note !== undefined && <p>{given.note}</p>}
    </div>
  </header>
)

/** A number with the digits that are the code marked. */
export const Caller = ({ call: { caller, code } }: { readonly call: PhoneCall }) => {
  if (caller === null) return <span class="caller">Unknown number</span>
  const length = code !== null && caller.endsWith(code) ? code.length : 0
  return (
    <span class="caller">
      {caller.slice(0, caller.length - length)}
      {length > 0 && <mark>{code}</mark>}
    </span>
  )
}

/** A text with its code marked. */
export const Marked = ({ code, text }: { readonly text: string; readonly code: string | null }) => {
  const at = code === null ? -1 : text.indexOf(code)
  if (code === null || at === -1) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <mark>{code}</mark>
      {text.slice(at + code.length)}
    </>
  )
}

export const Nothing = ({ children }: { readonly children: string }) => <p class="nothing">{children}</p>
