import { logto } from "@watchword/auth-hooks/logto"
import { supabase } from "@watchword/auth-hooks/supabase"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import { describe, expect, it } from "vitest"
import { SUPABASE_SECRET } from "./fixture.ts"

const service = { verify: {}, sms: {} }
const caller = "acc_01KAJ3T8ZZ0000000000000000"

describe("a hook", () => {
  it.each([
    [
      supabase,
      { service, caller },
      "the Supabase hook needs its secret, v1,whsec_ and base 64; is its environment variable set?"
    ],
    [
      supabase,
      undefined,
      "the Supabase hook needs its secret, v1,whsec_ and base 64; is its environment variable set?"
    ],
    [logto, undefined, "the Logto hook needs the authorization of its connector; is its environment variable set?"],
    [zitadel, {}, "the ZITADEL hook needs the signing key of its provider; is its environment variable set?"],
    [supabase, { service, secret: SUPABASE_SECRET }, "the supabase hook needs service and caller, or a client"],
    [logto, { caller, authorization: "Bearer" }, "the logto hook needs service and caller, or a client"]
  ])("names the option that is missing: %#", (make, options, message) => {
    expect(() => Reflect.apply(make, undefined, [options])).toThrow(new TypeError(message))
  })
})
