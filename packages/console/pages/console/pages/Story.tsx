/**
 * The timeline of a number: verifications with their sends, and sends of their own, newest first.
 */
import { channelName, iconOf } from "../../kit/channels.ts"
import { Icon } from "../../kit/Icon.tsx"
import { When } from "../../kit/When.tsx"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Pill } from "../Pill.tsx"
import { linkTo } from "../route.ts"
import { ServerText } from "../ServerText.tsx"
import { ruleName, shortId, toneOf } from "../words.ts"

type Item = Output<"why">["items"][number]

export const Story = ({ answer, done }: { readonly answer: Output<"why">; readonly done: () => void }) => (
  <ol class="story">
    {chaptersOf(answer.items).map(({ head, sends }) => (
      <li key={head.id}>
        <Chapter head={head} sends={sends} done={done} />
      </li>
    ))}
    {answer.truncated && <li class="soft small">Older records are not shown; choose a shorter period.</li>}
  </ol>
)

export interface Chaptered {
  /** A verification, or a send of its own. */
  readonly head: Item
  readonly sends: ReadonlyArray<Item>
}

export const Chapter = ({ done, head, sends }: Chaptered & { readonly done: () => void }) => (
  <article class="chapter">
    <header>
      <div>
        <h3>{head.channel === "verify" ? "Verification" : channelName(head.channel)}</h3>
        <p class="soft small">
          <When at={head.at} /> · <a href={linkTo("accounts", head.account)}>{head.name}</a>
          {head.mode === "sandbox" && " · sandbox"} · <code title={head.id}>{shortId(head.id)}</code>
        </p>
      </div>
      <div class="acts">
        {head.channel === "verify" && head.status === "pending" && (
          <Do
            command="verification cancel"
            label="Cancel verification"
            class="button small"
            given={{ verification_id: `vrf_${head.id}` }}
            says="Its code becomes invalid, and no further step runs."
            isHard
            done={done}
          />
        )}
        <Pill status={head.status} />
      </div>
    </header>
    <Lines lines={head.lines.filter((line) => !isSaid(line, head) && !(sends.length > 0 && isOfSend(line)))} />
    {sends.length > 0 && (
      <ol class="steps">
        {sends.map((send) => (
          <li key={send.id} class={toneOf(send.status)}>
            <Icon name={iconOf(send.channel)} />
            <div>
              <p>
                <b>{channelName(send.channel)}</b>{" "}
                <span class="soft small">
                  <When at={send.at} /> · <code title={send.id}>{shortId(send.id)}</code>
                </span>
              </p>
              <Lines lines={send.lines.filter((line) => !isOfSend(line))} />
            </div>
            <Pill status={send.status} />
          </li>
        ))}
      </ol>
    )}
  </article>
)

/** Whether a line says no more than the status and the line before it, which names the rules that blocked. */
const isSaid = (line: string, { status }: Item): boolean => line === status || line.startsWith("blocked (")

/** Whether a line says what the send's own place in the timeline shows. */
const isOfSend = (line: string): boolean => /^send \d+ (?:after|of) /.test(line)

const Lines = ({ lines }: { readonly lines: ReadonlyArray<string> }) => (
  <ul class="lines">
    {lines.map((line, place) => (
      // A user may do the same twice.
      <li key={`${place} ${line}`}>
        <ServerText text={withRules(line)} />
      </li>
    ))}
  </ul>
)

/** A line with the names of the rules that it lists. */
const withRules = (line: string): string => {
  const [, begin, rules = ""] = /^((?:would have been )?blocked by )(.+)$/.exec(line) ?? []
  return begin === undefined ? line : `${begin}${rules.split(", ").map(ruleName).join(", ")}`
}

/** @param items the newest last */
export const chaptersOf = (items: ReadonlyArray<Item>): ReadonlyArray<Chaptered> => {
  const ids = new Set(items.map(({ id }) => id))
  const heads = items.filter(({ verification }) => verification === null || !ids.has(verification))
  return heads
    .map((head) => ({ head, sends: items.filter(({ verification }) => verification === head.id) }))
    .toReversed()
}
