/**
 * The steps of a workflow: a row for each channel, in the order in which a verification takes them.
 */
import { useSignal } from "@preact/signals"
import { channelName } from "../../kit/channels.ts"
import type { Step } from "../commands.ts"
import type { EditorProps } from "./Editor.ts"
import { RowList } from "./RowList.tsx"
import { WithJson } from "./WithJson.tsx"
import { isObject, numberIn } from "./values.ts"

type Steps = ReadonlyArray<Step>

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
        draw={({ carrier, channel, timeout }, set) => {
          const step = carrier === undefined ? { channel, timeout } : { channel, timeout, carrier }
          return (
            <>
              <select
                aria-label="Channel"
                value={channel}
                onChange={({ currentTarget }) => set({ ...step, channel: currentTarget.value })}
              >
                {[...new Set([...CHANNELS, channel])].map((each) => (
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
                  value={timeout}
                  onInput={({ currentTarget }) => set({ ...step, timeout: numberIn(currentTarget.value) })}
                />
                seconds
              </label>
              <label class="inline">
                <input
                  type="checkbox"
                  checked={carrier === "other"}
                  onChange={({ currentTarget }) =>
                    set(currentTarget.checked ? { channel, timeout, carrier: "other" } : { channel, timeout })
                  }
                />
                by another carrier than before
              </label>
            </>
          )
        }}
      />
    </WithJson>
  )
}

const CHANNELS = ["chatgw", "sms", "call", "bizchat"]

const FRESH: Step = { channel: "sms", timeout: 60 }

const read = (json: unknown): Steps | null => (Array.isArray(json) && json.every(isStep) ? json : null)

const isStep = (step: unknown): step is Step =>
  isObject(step) &&
  typeof step["channel"] === "string" &&
  typeof step["timeout"] === "number" &&
  (step["carrier"] === undefined || step["carrier"] === "other")

/** The steps of a text as the command takes it, such as `sms:30,sms/other:60`. */
const stepsIn = (text: string): Steps =>
  text.split(",").map((step) => {
    const [by = "", seconds = ""] = step.split(":")
    const [channel = "", carrier] = by.split("/")
    const taken = { channel, timeout: numberIn(seconds) }
    return carrier === undefined ? taken : { ...taken, carrier: "other" }
  })

/** The same text of steps. */
const written = (steps: Steps): string =>
  steps
    .map(({ carrier, channel, timeout }) => `${channel}${carrier === undefined ? "" : `/${carrier}`}:${timeout}`)
    .join(",")
