/**
 * Accounts for tests.
 */
import { type Account, anyOriginators } from "@watchword/schemas/Account"
import { AccountId } from "@watchword/schemas/Ids"

export const someAccount = (fields: Partial<Account> = {}): Account => ({
  id: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  name: "Acme",
  caller: null,
  smsSender: null,
  senderUsername: null,
  minRing: 5,
  maxRing: 15,
  storeText: false,
  originators: anyOriginators,
  suspendedAt: null,
  createdAt: 0,
  ...fields
})
