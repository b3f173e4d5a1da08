/**
 * Facts that commands need and only the program that runs them knows: its settings, where its console is, the prices of
 * its carriers, its version and its migrations. All have a default, with which a command says less.
 */
export { keep as keepConsoleAddress } from "./commands/ConsoleAddress.ts"
export { ConsoleUrl } from "./commands/OperatorCommands.ts"
export { type StartSetting, StartSettings } from "./commands/SettingsCommand.ts"
export { type Facts, Program } from "./insight/Program.ts"
export { PriceLists } from "./insight/traffic/Invoice.ts"
