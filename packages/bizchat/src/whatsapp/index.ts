/**
 * The WhatsApp Cloud API as a `BusinessChatGateway`.
 */
export { type Options, make, whatsapp } from "./WhatsAppGateway.ts"
