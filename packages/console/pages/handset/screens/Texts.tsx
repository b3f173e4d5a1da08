/**
 * Texts: the list of senders, and the texts of one sender.
 */
import { useEffect } from "preact/hooks"
import type { PhoneMessage } from "@watchword/client"
import { timeOf } from "../../kit/clock.ts"
import { Copy } from "../../kit/Copy.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { seen } from "../phones.ts"
import { senderOf, wordsOf } from "../words.ts"
import { Head, Marked, Nothing } from "./App.tsx"
import { read } from "./open.ts"
import type { Go } from "./View.ts"

export const Texts = (given: {
  readonly messages: ReadonlyArray<PhoneMessage>
  readonly from: string | null
  readonly go: Go
}) => {
  const texts = given.messages.filter(({ channel }) => channel === "sms")
  return given.from === null ? (
    <Senders texts={texts} go={given.go} />
  ) : (
    <Thread texts={texts.filter(({ from }) => (from ?? "") === given.from)} go={given.go} />
  )
}

const Senders = ({ go, texts }: { readonly texts: ReadonlyArray<PhoneMessage>; readonly go: Go }) => {
  // The newest text of each sender: the texts are newest first.
  const newest = [...new Map(texts.toReversed().map((text) => [text.from, text])).values()].toReversed()
  return (
    <div class="inside">
      <Head title="Messages" back={{ screen: "home" }} go={go} />
      {texts.length === 0 && <Nothing>No texts yet. Texts that your app sends to this number appear here.</Nothing>}
      <ul class="rows">
        {newest.map((text) => (
          <li key={text.id}>
            <button type="button" class="row" onClick={() => go({ screen: "sms", from: text.from ?? "" })}>
              <span class="avatar">{senderOf(text).slice(0, 1)}</span>
              <span class="from">
                <span class={seen.value.has(text.id) ? "" : "fresh"}>{senderOf(text)}</span>
                <time>{timeOf(text.at)}</time>
              </span>
              <span class="text">{wordsOf(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Thread = ({ go, texts }: { readonly texts: ReadonlyArray<PhoneMessage>; readonly go: Go }) => {
  const [newest] = texts
  useEffect(() => read(texts), [newest?.id])
  const code = texts.find((text) => text.code !== null)?.code ?? null
  if (newest === undefined) return <Senders texts={[]} go={go} />
  return (
    <div class="inside">
      <Head title={senderOf(newest)} note="Text messages" back={{ screen: "sms", from: null }} go={go} />
      <div class="bubbles" tabIndex={0} role="log" aria-label="Texts">
        {texts.map((text) => (
          <div key={text.id} class="said">
            <p class="bubble">
              <Marked text={text.text ?? ""} code={text.code} />
            </p>
            <p class="meta">
              {timeOf(text.at)}, {text.state}
            </p>
          </div>
        ))}
      </div>
      <div class="foot">
        {code !== null && <Copy text={code} label={`Copy ${code}`} class="wide" />}
        <button type="button" class="wide" onClick={() => go({ screen: "fill" })}>
          <Icon name="page" />
          <span>Use it in a form</span>
        </button>
      </div>
    </div>
  )
}
