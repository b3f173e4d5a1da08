import { expect, it } from "vitest"
import { hasBrowser } from "../src/cli/browser.ts"

it.each([
  [true, {}, true, "darwin"],
  [true, { DISPLAY: ":0" }, true, "linux"],
  [true, { WAYLAND_DISPLAY: "wayland-0" }, true, "linux"],
  [false, {}, true, "linux"],
  [false, { DISPLAY: ":0" }, false, "linux"],
  [false, { DISPLAY: ":10", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, true, "linux"],
  [false, { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, true, "darwin"]
] as const)("a browser is opened (%s) with %o, terminal %s, on %s", (opens, environment, isTerminal, platform) => {
  expect(hasBrowser(environment, isTerminal, platform)).toBe(opens)
})
