/**
 * Chats: the chat gateway's, whose provider words the messages, a business's, and the chats of an installation's own
 * channels.
 */
import { useEffect } from "preact/hooks"
import type { PhoneMessage } from "@watchword/client"
import { timeOf } from "../../kit/clock.ts"
import { Copy } from "../../kit/Copy.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { iconOf } from "../../kit/channels.ts"
import { appName, goneOf, senderOf } from "../words.ts"
import { Head, Marked, Nothing } from "./App.tsx"
import { read } from "./open.ts"
import type { Go } from "./View.ts"

export const Chat = (given: {
  readonly channel: string
  readonly messages: ReadonlyArray<PhoneMessage>
  readonly go: Go
}) => {
  const { channel, go } = given
  const chats = given.messages.filter((message) => message.channel === channel)
  const [newest] = chats
  useEffect(() => read(chats), [newest?.id])
  return (
    <div class={`inside chat ${iconOf(channel)}`}>
      <Head
        title={newest === undefined ? appName(channel) : senderOf(newest)}
        note={NOTES[channel] ?? "Chat"}
        back={{ screen: "home" }}
        go={go}
      />
      {newest === undefined ? (
        <Nothing>No chats yet. A verification with a chat step sends its code here.</Nothing>
      ) : (
        <div class="bubbles" tabIndex={0} role="log" aria-label="Chat">
          {chats.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </div>
      )}
    </div>
  )
}

const NOTES: Readonly<Record<string, string>> = { chatgw: "Service account", bizchat: "Business account" }

const Message = ({ message }: { readonly message: PhoneMessage }) => {
  const { at, channel, code, state, text } = message
  const gone = goneOf(message)
  return (
    <div class={gone === null ? "said" : "said gone"}>
      <div class="bubble card">
        {channel === "chatgw" || text === null ? (
          <>
            <p class="label">
              <Icon name="check" /> Your login code
            </p>
            <p class="digits">{code ?? "–"}</p>
            <p>Do not share it.</p>
          </>
        ) : (
          <p>
            <Marked text={text} code={code} />
          </p>
        )}
        {code !== null && gone === null && <Copy text={code} label="Copy code" class="attached" />}
      </div>
      <p class="meta">
        {timeOf(at)}, {gone ?? state}
      </p>
    </div>
  )
}
