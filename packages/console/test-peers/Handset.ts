/**
 * The handset as its user finds it.
 */
import type { Locator, Page } from "playwright-core"

export interface Handset {
  readonly phone: Locator
  /** The panel next to the phone. */
  readonly desk: Locator
  /** The notifications of the lock screen, or the banner above an app. */
  readonly notification: (text: RegExp) => Locator
}

/** The phone of a number, and the panel next to it. */
export const handsetOf = (page: Page, number: string): Handset => {
  const phone = page.getByRole("region", { name: `Phone ${number}` })
  return {
    phone,
    desk: page.getByRole("region", { name: `About ${number}` }),
    notification: (text) => phone.getByRole("button", { name: text })
  }
}

/** Puts a phone on the screen, which its user answers. */
export const add = async (page: Page, number: string): Promise<Handset> => {
  await page.getByLabel("Number").fill(number)
  await page.getByRole("button", { name: "Add a phone" }).click()
  const handset = handsetOf(page, number)
  await handset.phone.waitFor()
  return handset
}

/** The first six digits of a text. */
export const codeIn = (text: string | null): string => /\d{6}/.exec(text ?? "")?.[0] ?? ""
