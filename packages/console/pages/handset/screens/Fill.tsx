/**
 * A form that wants a code, with the chip that the phone puts above its keyboard, or why it puts none there.
 */
import { useSignal } from "@preact/signals"
import type { PhoneMessage } from "@watchword/client"
import { Icon } from "../../kit/Icon.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { type Offer, type Target, hashOf, hostOf, offerOf } from "../autofill.ts"
import { read } from "./open.ts"
import { Head } from "./App.tsx"
import type { Go } from "./View.ts"

const KINDS = [
  { value: "page", label: "Web page" },
  { value: "app", label: "Android app" }
] as const

export const Fill = (given: {
  readonly number: string
  readonly messages: ReadonlyArray<PhoneMessage>
  readonly go: Go
}) => {
  const kind = useSignal<Target["kind"]>("page")
  const host = useSignal<string | null>(null)
  const hash = useSignal<string | null>(null)
  const filled = useSignal("")
  const texts = given.messages.filter(({ channel }) => channel === "sms")
  const newest = texts.find(({ code }) => code !== null) ?? texts[0]
  const text = newest?.text ?? ""
  const target: Target =
    kind.value === "page"
      ? { kind: "page", host: host.value ?? hostOf(text) ?? "localhost" }
      : { kind: "app", hash: hash.value ?? hashOf(text) ?? "" }
  const offer = newest === undefined ? NO_TEXT : offerOf(text, newest.code, target)
  const fill = (code: string): void => {
    filled.value = code
    if (newest !== undefined) read([newest])
  }
  const set = (value: string): void => {
    filled.value = ""
    if (target.kind === "page") host.value = value.trim().toLowerCase()
    else hash.value = value.trim()
  }
  return (
    <div class="inside fill">
      <Head title="Autofill" note="A form that asks for the code" back={{ screen: "home" }} go={given.go} />
      <div class="form">
        <Segmented
          label="Who asks for the code"
          name={`kind-${given.number}`}
          value={kind.value}
          options={KINDS}
          choose={(chosen) => {
            kind.value = chosen
            filled.value = ""
          }}
        />
        <label class="address">
          <span>{target.kind === "page" ? "https://" : "App hash"}</span>
          <input
            value={target.kind === "page" ? target.host : target.hash}
            placeholder={target.kind === "page" ? "shop.example" : "FA+9qCX9VSu"}
            aria-label={target.kind === "page" ? "Host of the page" : "Hash of the app"}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
        <p class="asks">Enter the code we sent you</p>
        <output class="boxes" aria-label="Code">
          {Array.from({ length: Math.max(6, filled.value.length) }, (_, place) => (
            <span key={place}>{filled.value[place] ?? ""}</span>
          ))}
        </output>
      </div>
      <Keyboard offer={offer} fill={fill} />
    </div>
  )
}

const NO_TEXT: Offer = { code: null, says: "No text has arrived yet. Phones fill in codes from texts, not from chats." }

const ROWS = [10, 9, 7]

const Keyboard = ({
  fill,
  offer: { code, says }
}: {
  readonly offer: Offer
  readonly fill: (code: string) => void
}) => (
  <div class="keyboard">
    {code === null ? (
      <p class="chip none">
        <Icon name="cross" /> Nothing to offer
      </p>
    ) : (
      <button type="button" class="chip" onClick={() => fill(code)}>
        <span>From Messages</span>
        <b>{code}</b>
      </button>
    )}
    <p class="why" role="status">
      {says}
    </p>
    <div class="keys" aria-hidden="true">
      {ROWS.map((keys) => (
        <div key={keys}>
          {Array.from({ length: keys }, (_, key) => (
            <i key={key} />
          ))}
        </div>
      ))}
    </div>
  </div>
)
