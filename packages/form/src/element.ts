/**
 * `<watchword-form>`, which this module defines.
 *
 * @example
 * ```ts
 * import { WatchwordForm } from "@watchword/form/element"
 *
 * console.log(WatchwordForm.observedAttributes.join(" ")) // lang texts
 * ```
 */
import { WatchwordForm } from "./internal/element/WatchwordForm.ts"

export { WatchwordForm }

if (typeof customElements !== "undefined" && customElements.get("watchword-form") === undefined) {
  customElements.define("watchword-form", WatchwordForm)
}
