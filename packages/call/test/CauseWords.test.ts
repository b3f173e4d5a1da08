import { AccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Delivery } from "@watchword/store/Delivery"
import { expect, it } from "vitest"
import { said } from "../src/internal/CauseWords.ts"

const call = (details: Delivery["details"]): Delivery => ({
  id: nextDeliveryId(0),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  channel: "call",
  to: E164.make("+4915123456789"),
  from: null,
  phase: "rejected",
  status: { name: "failed", rank: 2 },
  price: zero,
  parts: 1,
  named: 0,
  reference: null,
  details,
  createdAt: 0,
  statusAt: 0,
  dueAt: null,
  watch: null
})

it.each([
  [{ hangup_cause: null }, null],
  [{ hangup_cause: "NO_ANSWER", sip_status: 487, q850: null }, "NO_ANSWER (SIP 487)"],
  [{ hangup_cause: "NO_ANSWER", sip_status: 503, q850: 19 }, "NO_ANSWER (SIP 503, Q.850 19: no answer)"],
  [
    { hangup_cause: "REJECT_ALL", sip_status: 603, q850: null },
    "REJECT_ALL (the network blocks calls from this caller id, SIP 603)"
  ],
  [{ hangup_cause: "NO_USER_RESPONSE", sip_status: 480, q850: 138 }, "NO_USER_RESPONSE (SIP 480, Q.850 138)"]
])("why a call ended is said of its cause, its status and the network's reason: %j", (details, words) => {
  expect(said(call(details))).toBe(words)
})
