/**
 * The guards of a service: its layer, the rules for accounts without their own, and a check of the app's own.
 */
export {
  type BeforeSendAnswer,
  type BeforeSendCheck,
  type BeforeSendQuestion,
  type Settings,
  around
} from "./internal/BeforeSend.ts"
export { layer } from "./internal/Guards.ts"
export { type Remote, remote } from "./internal/RemoteCheck.ts"
export { UsualRules, ofInstallation } from "./internal/UsualRules.ts"
