/**
 * The rules of accounts without rules of their own: the installation's rules, or else the default ones.
 */
import type { Mode } from "@watchword/schemas/Channel"
import * as Context from "effect/Context"
import { DefaultRules, type Rules, none } from "../Rules.ts"

export interface UsualRules {
  readonly from: "installation" | "default"
  readonly of: (mode: Mode) => Rules
}

/** The default rules hold for live sends. */
export const UsualRules = Context.Reference<UsualRules>("@watchword/guards/internal/UsualRules", {
  defaultValue: () => ({ from: "default", of: (mode) => (mode === "live" ? DefaultRules : none) })
})

/** Rules of the installation, instead of the default ones. A function is asked at each send. */
export const ofInstallation = (rules: Rules | (() => Rules)): UsualRules => ({
  from: "installation",
  of: typeof rules === "function" ? rules : () => rules
})
