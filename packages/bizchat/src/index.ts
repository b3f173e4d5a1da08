export * as BusinessChat from "./BusinessChat.ts"
export * as BusinessChatGateway from "./BusinessChatGateway.ts"
export * as BusinessChatSandbox from "./BusinessChatSandbox.ts"
export * as CodeInText from "./CodeInText.ts"
