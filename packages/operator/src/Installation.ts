/**
 * Facts that commands need and only the program that runs them knows: its settings, where its console is, the prices of
 * its carriers and which of its own are below them, its version and its migrations. All have a default, with which a
 * command says less.
 */
export { keep as keepConsoleAddress } from "./commands/ConsoleAddress.ts"
export { ConsoleUrl } from "./commands/OperatorCommands.ts"
export { type StartSetting, StartSettings } from "./commands/SettingsCommand.ts"
export { type Facts, Program } from "./insight/Program.ts"
export { BelowCost } from "./insight/overview/BelowCost.ts"
export { PriceLists } from "./insight/traffic/Invoice.ts"
