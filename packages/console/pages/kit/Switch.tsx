/**
 * A switch: on or off at once.
 */
import type { ComponentChildren } from "preact"

export const Switch = (given: {
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
  readonly children: ComponentChildren
}) => (
  <label class="switch">
    <span>{given.children}</span>
    <input
      type="checkbox"
      role="switch"
      checked={given.isOn}
      onChange={({ currentTarget }) => given.set(currentTarget.checked)}
    />
  </label>
)
