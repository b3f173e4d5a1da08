export * as EncodedText from "./EncodedText.ts"
export * as Sms from "./Sms.ts"
export * as SmsGateway from "./SmsGateway.ts"
export * as SmsSandbox from "./SmsSandbox.ts"
