/**
 * The texts of an account's verifications, each as a phone would show it.
 */
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Do } from "../../Do.tsx"
import { Part } from "../../Head.tsx"

export const Templates = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("template list", { account_id: id })
  return (
    <Part
      title="Texts"
      says="As they are sent, with example values"
      acts={
        <Do
          command="template set"
          label="Add a text"
          class="button small"
          given={{ account_id: id }}
          first={{ name: "default", locale: "en", text: "{{code}} is your {{brand}} code." }}
          done={answer.again}
        />
      }
    >
      <Answered answer={answer} lines={2}>
        {({ templates }) => (
          <ul class="items">
            {templates.map(({ locale, name, text }) => (
              <Text key={`${name} ${locale}`} id={id} name={name} locale={locale} text={text} done={answer.again} />
            ))}
            {templates.length === 0 && <Text id={id} name="default" locale="en" text={null} done={answer.again} />}
          </ul>
        )}
      </Answered>
    </Part>
  )
}

const Text = (given: {
  readonly id: string
  readonly name: string
  readonly locale: string
  /** Null if the account has no text of its own, so that the installation's or the built-in text is sent. */
  readonly text: string | null
  readonly done: () => void
}) => {
  const { done, id, locale, name, text } = given
  const answer = useAnswer("template show", { account_id: id, name, locale })
  const again = (): void => {
    answer.again()
    done()
  }
  return (
    <li>
      <div>
        <p>
          <b>{name}</b> <span class="tag">{locale}</span>
          {text === null && <span class="soft small"> the installation's default</span>}
        </p>
        <Answered answer={answer} lines={1}>
          {(shown) => <Bubble {...shown} />}
        </Answered>
      </div>
      {text !== null && (
        <div class="acts">
          <Do
            command="template set"
            label="Change the text"
            name={`Change ${name} in ${locale}`}
            class="button plain small"
            given={{ account_id: id, name, locale }}
            first={{ text }}
            done={again}
          >
            Change
          </Do>
          <Do
            command="template remove"
            label="Remove the text"
            name={`Remove ${name} in ${locale}`}
            class="button plain small"
            given={{ account_id: id, name, locale }}
            isHard
            done={again}
          >
            Remove
          </Do>
        </div>
      )}
    </li>
  )
}

const Bubble = ({ characters, encoding, example, source }: Output<"template show">) => (
  <>
    <p class="bubble">{example}</p>
    <p class="soft small">
      {characters} characters, {encoding === "gsm7" ? "GSM 7-bit" : "UCS-2"}, {partsOf(characters, encoding)}
      {source !== "account" && `, the ${source} text`}
    </p>
  </>
)

/** Source: 3GPP TS 23.040 §9.2.3.24.1: in a text of several parts, each part has a header of six octets. */
const PARTS = { gsm7: [160, 153], ucs2: [70, 67] } as const

const partsOf = (characters: number, encoding: "gsm7" | "ucs2"): string => {
  const [whole, part] = PARTS[encoding]
  const parts = characters <= whole ? 1 : Math.ceil(characters / part)
  return `${parts} ${parts === 1 ? "part" : "parts"}`
}
