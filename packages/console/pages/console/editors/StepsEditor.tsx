/**
 * The steps of a workflow: a row for each channel, in the order in which a verification takes them.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { channelName } from "../../kit/channels.ts"
import type { ReceiveForm, Step } from "../commands.ts"
import type { EditorProps } from "./Editor.ts"
import { FORMS, RECEIVE, type Steps, isForm, stepsIn, written } from "../steps.ts"
import { RowList } from "./RowList.tsx"
import { WithJson } from "./WithJson.tsx"
import { isObject, numberIn } from "./values.ts"

export const StepsEditor = ({ first, label, name }: EditorProps) => {
  const steps = useSignal<Steps>(typeof first === "string" ? stepsIn(first) : [FRESH])
  const change = (next: Steps): void => void (steps.value = next)
  return (
    <WithJson name={name} label={label} value={steps.value} change={change} read={read} written={written}>
      <RowList
        one="Step"
        rows={steps.value}
        change={change}
        fresh={FRESH}
        draw={(step, set) => (
          <>
            <select
              aria-label="Channel"
              value={step.channel}
              onChange={({ currentTarget }) => set(of(currentTarget.value, step.timeout))}
            >
              {[...new Set([...CHANNELS, step.channel])].map((each) => (
                <option key={each} value={each}>
                  {channelName(each)}
                </option>
              ))}
            </select>
            <label class="inline">
              for
              <input
                type="number"
                aria-label="Seconds until the next step"
                min={10}
                max={900}
                required
                value={step.timeout}
                onInput={({ currentTarget }) => set({ ...step, timeout: numberIn(currentTarget.value) })}
              />
              seconds
            </label>
            {step.by === undefined ? (
              <OtherCarrier step={step} set={set} />
            ) : (
              <Forms step={step} by={step.by} set={set} />
            )}
          </>
        )}
      />
    </WithJson>
  )
}

interface Row {
  readonly step: Step
  readonly set: (step: Step) => void
}

const OtherCarrier = ({ set, step: { carrier, channel, timeout } }: Row) => (
  <Check
    checked={carrier === "other"}
    change={(isOther) => set(isOther ? { channel, timeout, carrier: "other" } : { channel, timeout })}
  >
    by another carrier than before
  </Check>
)

/** The forms in which the user may act; one at least. */
const Forms = ({ by, set, step }: Row & { readonly by: ReadonlyArray<ReceiveForm> }) => (
  <>
    {FORMS.map(([form, label]) => (
      <Check
        key={form}
        checked={by.includes(form)}
        disabled={by.length === 1 && by.includes(form)}
        change={(isOffered) => {
          const next = FORMS.map(([each]) => each).filter((each) => (each === form ? isOffered : by.includes(each)))
          set({ ...step, by: next })
        }}
      >
        {label}
      </Check>
    ))}
    <Check
      checked={step.reply !== false}
      change={(isAnswered) => {
        const { reply: _, ...others } = step
        set(isAnswered ? others : { ...others, reply: false })
      }}
    >
      texts are answered with a code
    </Check>
  </>
)

const Check = (given: {
  readonly checked: boolean
  readonly disabled?: boolean
  readonly change: (isChecked: boolean) => void
  readonly children: ComponentChildren
}) => (
  <label class="inline">
    <input
      type="checkbox"
      checked={given.checked}
      disabled={given.disabled ?? false}
      onChange={({ currentTarget }) => given.change(currentTarget.checked)}
    />
    {given.children}
  </label>
)

const CHANNELS = ["chatgw", "sms", "call", "bizchat", RECEIVE]

/** A step of a channel as it is first. */
const of = (channel: string, timeout: number): Step =>
  channel === RECEIVE ? { channel, timeout, by: ["sms"] } : { channel, timeout }

const FRESH: Step = { channel: "sms", timeout: 60 }

const read = (json: unknown): Steps | null => (Array.isArray(json) && json.every(isStep) ? json : null)

const isStep = (step: unknown): step is Step =>
  isObject(step) &&
  typeof step["channel"] === "string" &&
  typeof step["timeout"] === "number" &&
  (step["carrier"] === undefined || step["carrier"] === "other") &&
  (step["reply"] === undefined || typeof step["reply"] === "boolean") &&
  (step["channel"] === RECEIVE) === isForms(step["by"])

const isForms = (by: unknown): boolean => Array.isArray(by) && by.length > 0 && by.every(isForm)
