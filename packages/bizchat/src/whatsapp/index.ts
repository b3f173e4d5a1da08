/**
 * The WhatsApp Cloud API as a `BizchatGateway`.
 */
export { type Options, make, whatsapp } from "../internal/whatsapp/WhatsAppGateway.ts"
