/**
 * The basis for faces of the operators' commands, such as a command line: a command as a value, its fields as people
 * write them, the log of operators, and the terminal on which a command asks.
 *
 * Commands of an app's own are made by {@link make}, and its face runs them by {@link recorded}, so that the log has
 * them.
 */
export { type Answer, type AnyCommand, type Command, type Failure, type Role, make } from "./Command.ts"
export { recorded } from "./OperatorLog.ts"
export { Terminal, type Service as TerminalService } from "./Terminal.ts"
export { type Face, account, as, counted, wire } from "./Wire.ts"
