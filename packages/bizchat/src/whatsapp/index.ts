/**
 * The WhatsApp Cloud API as a `BusinessChatGateway`.
 */
export { type Options, make, whatsapp } from "../internal/whatsapp/WhatsAppGateway.ts"
