/**
 * The current problems, each with the act that mends it.
 */
import { Icon } from "../../../kit/Icon.tsx"
import type { Output } from "../../api.ts"
import { Do } from "../../Do.tsx"
import { Glyph } from "../../Glyph.tsx"
import { ServerText } from "../../ServerText.tsx"

type Problem = Output<"overview">["problems"][number]

interface Changing {
  readonly done: () => void
}

export const Problems = ({ done, problems }: { readonly problems: ReadonlyArray<Problem> } & Changing) =>
  problems.length === 0 ? (
    <p class="well">
      <Icon name="check" />
      <span>No known problems.</span>
    </p>
  ) : (
    <ul class="problems" aria-label="Problems">
      {problems.map(({ about, act, kind, link, severity, text }) => (
        <li key={`${kind} ${about}`} class={severity}>
          <Glyph name="bad" />
          <a href={link}>
            <span>
              <ServerText text={text} />
            </span>
            <Glyph name="open" />
          </a>
          {act !== null && <Mend act={act} done={done} />}
        </li>
      ))}
    </ul>
  )

const Mend = ({ act, done }: { readonly act: NonNullable<Problem["act"]> } & Changing) => {
  const shared = { label: act.label, class: "button small", done }
  switch (act.command) {
    case "guard block":
      return (
        <Do
          {...shared}
          command={act.command}
          given={{ account_id: null }}
          first={act.input}
          says="Sends to numbers with this prefix, or in this country, are refused for the time you set."
        />
      )
    case "carrier drain":
      return <Do {...shared} command={act.command} given={act.input} first={{ for: "2h" }} />
    case "account credit":
      return <Do {...shared} command={act.command} given={act.input} fields={["amount", "reason"]} />
    case "webhook enable":
      return <Do {...shared} command={act.command} given={act.input} />
  }
}
