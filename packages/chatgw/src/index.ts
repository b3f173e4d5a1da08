export * as Chat from "./Chat.ts"
export * as ChatGateway from "./ChatGateway.ts"
export * as ChatSandbox from "./ChatSandbox.ts"
