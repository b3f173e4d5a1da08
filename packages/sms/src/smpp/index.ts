/**
 * Text messages by carriers over SMPP 3.4.
 */
export {
  type LinkInput,
  type LinkOptions,
  type Options,
  SmppOptionsError,
  fromUrls,
  link
} from "../internal/smpp/Options.ts"
export { type SmppInput, layer, make, smpp } from "../internal/smpp/SmppGateway.ts"
