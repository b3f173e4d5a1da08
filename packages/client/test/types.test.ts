/**
 * The hand-written types of the client, which the compiler compares with the contract's types.
 */
import type * as Client from "@watchword/client"
import type { Envelope, ListBody } from "@watchword/pagination/Page"
import type * as Errors from "@watchword/schemas/Errors"
import type * as Sms from "@watchword/schemas/Sms"
import { expect, expectTypeOf, it } from "vitest"

/** The members of a type, however it is composed. */
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T

it("has the lists, and names their fields", () => {
  expect(expectTypeOf<Flat<Client.Page<Client.Sdr>>>().toEqualTypeOf<Flat<Envelope<Client.Sdr>>>()).toBe(true)
  expectTypeOf<keyof Client.ListBody<Client.Sdr>>().toEqualTypeOf<keyof typeof ListBody.Encoded>()
  expectTypeOf<Client.ListBody<Client.Sdr>>().toExtend<typeof ListBody.Encoded>()
  expectTypeOf<{ filter: { status: ["failed"]; price: { gte: 0.1 } } }>().toExtend<Client.ListBody<Client.Sdr>>()
  expectTypeOf<{ filter: { status: "lost" } }>().not.toExtend<Client.ListBody<Client.Sdr>>()
  expectTypeOf<{ filter: { nothing: "1" } }>().not.toExtend<Client.ListBody<Client.Sdr>>()
})

it("lists by the fields that have one value", () => {
  expect(expectTypeOf<Client.Listed<Client.Wdr>>().toEqualTypeOf<keyof Client.Wdr>()).toBe(true)
  expectTypeOf<Client.Listed<Client.Verification>>().toEqualTypeOf<keyof Client.VerificationFields>()
  expectTypeOf<"attempts" | "metadata" | "next">().not.toExtend<Client.Listed<Client.Verification>>()
  expectTypeOf<{ sort_by: "metadata" }>().not.toExtend<Client.ListBody<Client.Verification>>()
})

it("has the errors", () => {
  expect(expectTypeOf<Client.ApiError["code"]>().toEqualTypeOf<Errors.ErrorCode>()).toBe(true)
  expectTypeOf<Errors.ApiError["code"]>().toEqualTypeOf<Errors.ErrorCode>()
  expectTypeOf<Flat<Client.Issue>>().toEqualTypeOf<Flat<Errors.Issue>>()
})

it("is checked by the compiler, which does not run this", () => {
  expect(expectTypeOf<Flat<Client.SendSms>>().toEqualTypeOf<Flat<typeof Sms.SendSms.Encoded>>()).toBe(true)
})
