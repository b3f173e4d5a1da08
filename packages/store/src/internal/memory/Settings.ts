import type { AccountId } from "@watchword/schemas/Ids"
import { compare } from "../../Listing.ts"
import type { Setting } from "../SettingStore.ts"

/** Settings by their accounts, null for the installation, and their names. */
export const make = () => {
  const owners = new Map<AccountId | null, Map<string, string>>()

  const of = (account: AccountId | null): ReadonlyArray<Setting> =>
    [...(owners.get(account) ?? [])].map(([name, value]) => ({ name, value })).sort((a, b) => compare(a.name, b.name))

  const change = (account: AccountId | null, name: string, value: string | null): void => {
    const settings = owners.get(account) ?? new Map<string, string>()
    owners.set(account, settings)
    if (value === null) settings.delete(name)
    else settings.set(name, value)
  }

  /** Removes settings of these names from all owners; answers how many. */
  const removeAll = (names: ReadonlyArray<string>): number =>
    [...owners.values()].reduce((sum, settings) => sum + names.filter((name) => settings.delete(name)).length, 0)

  return { of, change, removeAll }
}

export type Settings = ReturnType<typeof make>
