/**
 * The panel next to a phone: its number, who answers, the plan of its verification, and how the phone answers.
 */
import { Icon } from "../kit/Icon.tsx"
import { Segmented } from "../kit/Segmented.tsx"
import { Switch } from "../kit/Switch.tsx"
import type { Phone as Settings } from "@watchword/client"
import { Answers } from "./Answers.tsx"
import { removePhone } from "./api.ts"
import { Now } from "./Now.tsx"
import { act, changePhone } from "./acts.ts"
import { hide, keptFor, phoneOf } from "./phones.ts"
import { Plan } from "./Plan.tsx"

const MODES = [
  { value: "auto", label: "Answers itself" },
  { value: "manual", label: "You answer" }
] as const

export const Desk = ({ number }: { readonly number: string }) => {
  const phone = phoneOf(number)
  const kept = keptFor(number)
  const change = (wanted: Partial<Settings>): void => changePhone(number, wanted)
  return (
    <section class="desk" aria-label={`About ${number}`}>
      <header>
        <h2>{number}</h2>
        <button type="button" class="round" aria-label={`Remove ${number}`} onClick={() => takeAway(number)}>
          <Icon name="cross" />
        </button>
      </header>
      <Segmented
        label="Who answers"
        name={`mode-${number}`}
        value={phone.mode}
        options={MODES}
        choose={(mode) => change({ mode })}
      />
      <Switch isOn={phone.offline} set={(offline) => change({ offline })}>
        Aeroplane mode
      </Switch>
      {kept > 0 && (
        <p class="kept" role="status">
          {kept === 1 ? "1 message is waiting" : `${kept} messages are waiting`} at the carrier
          {phone.offline ? " for the network." : "."}
        </p>
      )}
      <Plan number={number} />
      <Now number={number} />
      <details>
        <summary>How the phone answers</summary>
        <Answers phone={phone} change={change} />
      </details>
    </section>
  )
}

const takeAway = (number: string): void => {
  hide(number)
  void act((session) => removePhone(session, number))
}
