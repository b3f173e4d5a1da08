/**
 * The types of the client, compared with those of the contract by the compiler.
 */
import type * as Client from "@watchword/client"
import type { Envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import type * as BusinessChat from "@watchword/schemas/BusinessChat"
import type * as Call from "@watchword/schemas/Call"
import type * as Chat from "@watchword/schemas/Chat"
import type * as Errors from "@watchword/schemas/Errors"
import type * as Inbox from "@watchword/schemas/Inbox"
import type * as Sms from "@watchword/schemas/Sms"
import type * as Verification from "@watchword/schemas/Verification"
import { expect, expectTypeOf, it } from "vitest"

/** The members of a type, however it is put together. */
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T

/** What travels. */
type Wire<S extends { readonly Encoded: unknown }> = Flat<S["Encoded"]>

it("has the bodies of calls", () => {
  expectTypeOf<Flat<Client.FlashCall>>().toEqualTypeOf<Wire<typeof Call.FlashCall>>()
  expectTypeOf<Flat<Client.FlashCalled>>().toEqualTypeOf<Wire<typeof Call.FlashCalled>>()
  expectTypeOf<Flat<Client.Cdr>>().toEqualTypeOf<Wire<typeof Call.Cdr>>()
  expectTypeOf<Flat<Client.ReportCall>>().toEqualTypeOf<Wire<typeof Call.ReportCall>>()
  expectTypeOf<Flat<Client.CallReported>>().toEqualTypeOf<Wire<typeof Call.CallReported>>()
})

it("has the bodies of texts", () => {
  expectTypeOf<Flat<Client.SendSms>>().toEqualTypeOf<Wire<typeof Sms.SendSms>>()
  expectTypeOf<Flat<Client.SmsSent>>().toEqualTypeOf<Wire<typeof Sms.SmsSent>>()
  expectTypeOf<Flat<Client.Sdr>>().toEqualTypeOf<Wire<typeof Sms.Sdr>>()
  expectTypeOf<Flat<Client.ReportSms>>().toEqualTypeOf<Wire<typeof Sms.ReportSms>>()
  expectTypeOf<Flat<Client.SmsReported>>().toEqualTypeOf<Wire<typeof Sms.SmsReported>>()
})

it("has the bodies of chats", () => {
  expectTypeOf<Flat<Client.SendCode>>().toEqualTypeOf<Wire<typeof Chat.SendCode>>()
  expectTypeOf<Flat<Client.CodeSent>>().toEqualTypeOf<Wire<typeof Chat.CodeSent>>()
  expectTypeOf<Flat<Client.CheckSendAbility>>().toEqualTypeOf<Wire<typeof Chat.CheckSendAbility>>()
  expectTypeOf<Flat<Client.SendAbility>>().toEqualTypeOf<Wire<typeof Chat.SendAbility>>()
  expectTypeOf<Flat<Client.CheckChatCode>>().toEqualTypeOf<Wire<typeof Chat.CheckVerification>>()
  expectTypeOf<Flat<Client.ChatCodeChecked>>().toEqualTypeOf<Wire<typeof Chat.Verification>>()
  expectTypeOf<Flat<Client.RevokeCode>>().toEqualTypeOf<Wire<typeof Chat.RevokeVerification>>()
  expectTypeOf<Flat<Client.Revoked>>().toEqualTypeOf<Wire<typeof Chat.Revoked>>()
  expectTypeOf<Flat<Client.Tdr>>().toEqualTypeOf<Wire<typeof Chat.Tdr>>()
  expectTypeOf<Flat<Client.ReportChat>>().toEqualTypeOf<Wire<typeof Chat.ReportChat>>()
  expectTypeOf<Flat<Client.ChatReported>>().toEqualTypeOf<Wire<typeof Chat.ChatReported>>()
})

it("has the bodies of business chats", () => {
  expectTypeOf<Flat<Client.SendOtp>>().toEqualTypeOf<Wire<typeof BusinessChat.SendOtp>>()
  expectTypeOf<Flat<Client.OtpSent>>().toEqualTypeOf<Wire<typeof BusinessChat.OtpSent>>()
  expectTypeOf<Flat<Client.Wdr>>().toEqualTypeOf<Wire<typeof BusinessChat.Wdr>>()
  expectTypeOf<Flat<Client.ReportBusinessChat>>().toEqualTypeOf<Wire<typeof BusinessChat.ReportBusinessChat>>()
  expectTypeOf<Flat<Client.BusinessChatReported>>().toEqualTypeOf<Wire<typeof BusinessChat.BusinessChatReported>>()
})

it("has the bodies of verifications", () => {
  expectTypeOf<Flat<Client.StartVerification>>().toEqualTypeOf<Wire<typeof Verification.StartVerification>>()
  expectTypeOf<Flat<Client.Verification>>().toEqualTypeOf<Wire<typeof Verification.Verification>>()
  expectTypeOf<Flat<Client.CheckVerification>>().toEqualTypeOf<Wire<typeof Verification.CheckVerification>>()
  expectTypeOf<Flat<Client.VerificationChecked>>().toEqualTypeOf<Wire<typeof Verification.VerificationChecked>>()
  expectTypeOf<Flat<Client.NextStep>>().toEqualTypeOf<Wire<typeof Verification.NextStep>>()
  expectTypeOf<Flat<Client.ReportVerification>>().toEqualTypeOf<Wire<typeof Verification.ReportVerification>>()
})

it("has the inbox, whose query travels as numbers and texts do in a URL", () => {
  expectTypeOf<Flat<Client.InboxQuery>>().toEqualTypeOf<Wire<typeof Inbox.InboxQuery>>()
  expectTypeOf<Flat<Client.InboxMessage>>().toEqualTypeOf<Wire<typeof Inbox.InboxMessage>>()
})

it("has the lists, and names their fields", () => {
  expectTypeOf<Flat<Client.Page<Client.Sdr>>>().toEqualTypeOf<Flat<Envelope<Client.Sdr>>>()
  expectTypeOf<keyof Client.ListBody<Client.Sdr>>().toEqualTypeOf<keyof typeof ListBody.Encoded>()
  expectTypeOf<Client.ListBody<Client.Sdr>>().toExtend<typeof ListBody.Encoded>()
  expectTypeOf<{ filter: { status: ["failed"]; price: { gte: 0.1 } } }>().toExtend<Client.ListBody<Client.Sdr>>()
  expectTypeOf<{ filter: { status: "lost" } }>().not.toExtend<Client.ListBody<Client.Sdr>>()
  expectTypeOf<{ filter: { nothing: "1" } }>().not.toExtend<Client.ListBody<Client.Sdr>>()
})

it("has the errors", () => {
  expectTypeOf<Client.ApiError["code"]>().toEqualTypeOf<Errors.ErrorCode>()
  expectTypeOf<Flat<Client.Issue>>().toEqualTypeOf<Flat<Errors.Issue>>()
})

it("is checked by the compiler, which does not run this", () => {
  expect(expectTypeOf<Flat<Client.SendSms>>().not.toEqualTypeOf<Wire<typeof Call.FlashCall>>()).toBe(true)
})
