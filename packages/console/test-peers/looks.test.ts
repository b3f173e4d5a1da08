/**
 * The look of the handset, with only a keyboard, to a screen reader, on small and large screens, light and dark.
 */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type DevServer, start } from "../../dev/test/DevServer.ts"
import { folderForEach } from "../../../test/folder.ts"
import { add, handsetOf } from "./Handset.ts"
import { addAxe, seriousIn } from "./axe.ts"
import { launch, openTab } from "./chromium.ts"

const folder = folderForEach()
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

let server: DevServer
beforeEach(async () => {
  server = await start({ folder: folder.path() })
})
afterEach(() => server.stop())

const [first, second, third, fourth] = ["+4915123456701", "+4915123456711", "+4915123456712", "+4915123456713"] as const

describe("the handset", () => {
  it.each([
    [390, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"]
  ] as const)("has nothing serious for axe at %i pixels, %s, and fits the screen", async (width, colorScheme) => {
    const { close, complaints, page } = await openTab(browser, { viewport: { width, height: 900 }, colorScheme })
    const good = async (state: string) => {
      expect([state, await seriousIn(page)]).toEqual([state, []])
      expect([state, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([state, true])
    }
    await page.goto(`${server.origin}/handset/`)
    await page.getByRole("heading", { name: "No phone yet" }).waitFor()
    await addAxe(page)
    await good("without phones")

    const text = await add(page, first)
    await server.ask("/verifications", {
      to: first,
      workflow: [
        { channel: "sms", timeout: 60 },
        { channel: "call", timeout: 60 }
      ],
      web_origin: "https://shop.example"
    })
    await text.notification(/shop\.example/).waitFor()
    await text.desk.getByText("How the phone answers").click()
    await good("a notification")
    await text.notification(/shop\.example/).click()
    await text.phone.getByRole("log").waitFor()
    await good("a text")
    await text.phone.getByRole("button", { name: "Use it in a form" }).click()
    await good("a form")
    await text.phone.getByLabel("Host of the page").fill("evil.example")
    await good("a form that gets nothing")

    await server.ask("/verifications", {
      to: second,
      workflow: [{ channel: "receive", by: ["sms", "call", "bizchat", "telegram_login"], timeout: 300, reply: false }]
    })
    await handsetOf(page, second).phone.getByRole("button", { name: "Send the text" }).waitFor()
    await good("a verification that waits for the user")
    await handsetOf(page, second).phone.getByRole("button", { name: "Send in WhatsApp" }).press("Enter")
    await handsetOf(page, second).desk.getByRole("heading", { name: "Approved" }).waitFor()

    for (const [number, channel] of [
      [second, "chatgw"],
      [third, "bizchat"]
    ] as const) {
      await server.ask("/verifications", { to: number, workflow: [{ channel, timeout: 60 }] })
      await handsetOf(page, number)
        .notification(/code is/)
        .click()
    }
    await server.ask("/call/flash", { callee: fourth, caller: "+493023125123" })
    await page.getByText("Incoming call").waitFor()
    await good("chats, and a call")
    await handsetOf(page, fourth).phone.getByRole("button", { name: "Ignore" }).click()
    await text.phone.getByRole("button", { name: "Home screen" }).click()
    await good("a home screen")
    for (const app of ["Messages", "Calls"]) {
      await text.phone.getByRole("button", { name: app }).click()
      await good(app)
      await text.phone.getByRole("button", { name: "Back" }).click()
    }
    await page.getByLabel("Number").fill("12")
    await page.keyboard.press("Enter")
    await page
      .getByRole("alert")
      .getByText(/must be/)
      .waitFor()
    await good("an error")
    // A number that is refused is a request that failed, and the browser says so.
    expect(complaints.filter((complaint) => !/400/.test(complaint))).toEqual([])
    await close()
  })

  it("is used by the keyboard alone", async () => {
    const { close, page } = await openTab(browser)
    await page.goto(`${server.origin}/handset/`)
    await page.getByRole("heading", { name: "No phone yet" }).waitFor()
    const press = async (key: string, times = 1) => {
      for (let time = 0; time < times; time += 1) await page.keyboard.press(key)
    }
    const focused = () =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
    await press("Tab")
    await page.keyboard.type(first)
    await press("Enter")
    const { desk, notification, phone } = handsetOf(page, first)
    await phone.waitFor()
    await server.ask("/sms", { to: first, text: "Your code is 123456" })
    await notification(/123456/).waitFor()
    // From the field: its button, Clear, the lock screen, the notification.
    await press("Tab", 4)
    expect(await focused()).toContain("123456")
    await press("Enter")
    await phone.getByRole("log").waitFor()
    await phone.getByRole("button", { name: "Back" }).press("Enter")
    await phone.getByRole("heading", { name: "Messages" }).waitFor()
    await desk.getByRole("radio", { name: "You answer" }).press("ArrowLeft")
    expect(await desk.getByRole("radio", { name: "Answers itself" }).isChecked()).toBe(true)
    await close()
  })

  it("tells those who do not see it what has come", async () => {
    const { close, page } = await openTab(browser)
    await page.goto(`${server.origin}/handset/`)
    await page.getByRole("heading", { name: "No phone yet" }).waitFor()
    await server.ask("/sms", { to: first, text: "Your code is 123456" })
    await page.locator("[aria-live]").getByText(`Message to ${first}: Your code is 123456`).waitFor()
    await close()
  })
})
