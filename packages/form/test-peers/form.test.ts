/**
 * The form in Chromium: on the handler's own page, and on an app's page under a strict policy.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Tab, launch, openTab } from "../../console/test-peers/chromium.ts"
import { type App, startApp } from "./App.ts"

let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

let app: App
let tabs: Array<Tab> = []
beforeEach(async () => void (app = await startApp()))
afterEach(async () => {
  for (const { close } of tabs) await close()
  tabs = []
  await app.stop()
})

const to = "+4915123456789"

const open = async (path = "/phone", options: BrowserContextOptions = {}): Promise<Page> => {
  const tab = await openTab(browser, options)
  tabs.push(tab)
  await tab.page.goto(`${app.origin}${path}`)
  return tab.page
}

const complaints = (): ReadonlyArray<string> => tabs.flatMap((tab) => tab.complaints)

const send = async (page: Page, number = "0151 23456789") => {
  await page.locator("#number").fill(number)
  await page.getByRole("button", { name: "Send code" }).click()
  await page.locator("#code").waitFor()
}

const alert = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text }).waitFor()

const restarted = async (...options: Parameters<typeof startApp>) => {
  await app.stop()
  app = await startApp(...options)
}

const wrong = (code: string): string => (code.startsWith("1") ? "2" : "1") + code.slice(1)

describe("a number", () => {
  it("is grouped while it is typed, by what is loaded once it is used", async () => {
    const page = await open()
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).search))
    await page.locator("#number").waitFor()
    await page.waitForLoadState("networkidle")
    expect(asked).toEqual([])
    await page.locator("#number").pressSequentially("15123456789")
    await expect.poll(() => page.locator("#number").inputValue()).toBe("1512 3456789")
    expect(asked).toEqual(["?asset=numbers.js"])
    await page.getByRole("combobox").selectOption("US")
    await page.locator("#number").fill("2125550123")
    await expect.poll(() => page.locator("#number").inputValue()).toBe("(212) 555-0123")
  })

  it("keeps the caret where a digit is put in or taken out", async () => {
    const page = await open()
    const number = page.locator("#number")
    await number.focus()
    await page.waitForLoadState("networkidle")
    await number.pressSequentially("0151 23456789")
    await expect.poll(() => number.inputValue()).toBe("01512 3456789")
    for (let at = 0; at < 5; at += 1) await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("00")
    await page.keyboard.type("9")
    expect((await number.inputValue()).replaceAll(" ", "")).toBe("01512300956789")
  })

  it("of another country takes its country, as it is pasted", async () => {
    const page = await open()
    const number = page.locator("#number")
    await number.focus()
    await page.waitForLoadState("networkidle")
    await page.evaluate("navigator.clipboard.writeText('tel:+44-7400-123456')")
    await page.keyboard.press("Control+V")
    await expect.poll(() => number.inputValue()).toBe("+44 7400 123456")
    expect(await page.getByRole("combobox").inputValue()).toBe("GB")
    await page.keyboard.press("Enter")
    await page.getByText("+44 7400 123456").first().waitFor()
    expect(await app.world.codeFor("+447400123456")).toMatch(/^\d{6}$/)
  })

  it("of two readings is asked back, and one of them is chosen", async () => {
    const page = await open()
    await page.locator("#number").fill("4915123456789")
    await page.getByRole("button", { name: "Send code" }).click()
    await alert(page, "This can be read as two numbers.")
    await page.getByRole("button", { name: "+49 1512 3456789" }).click()
    await page.locator("#code").waitFor()
    expect(await app.world.codeFor(to)).toMatch(/^\d{6}$/)
  })

  it("is sent where what reads numbers does not load: the handler reads it", async () => {
    const page = await open()
    await page.route(/numbers\.js/, (route) => route.abort())
    await page.locator("#number").fill("12")
    await page.getByRole("button", { name: "Send code" }).click()
    await alert(page, "This number does not exist.")
    await send(page)
    expect(await app.world.codeFor(to)).toMatch(/^\d{6}$/)
  })

  it("to whose country no codes go says so", async () => {
    const page = await open()
    await page.locator("#number").fill("+33 6 12 34 56 78")
    await page.getByRole("button", { name: "Send code" }).click()
    await alert(page, "We do not send codes to this country.")
    expect(await page.locator("#number").inputValue()).toBe("+33 6 12 34 56 78")
  })
})

describe("a code", () => {
  it("is pasted with the message around it, and the server knows of the approval", async () => {
    const page = await open()
    await send(page)
    expect(await page.locator("#code").getAttribute("autocomplete")).toBe("one-time-code")
    const message = `Your Acme code is ${await app.world.codeFor(to)}. Valid for 10 minutes.`
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(message)})`)
    await page.keyboard.press("Control+V")
    await page.getByText("is confirmed.").first().waitFor()
    expect(app.approved).toEqual([`one ${to}`])
    expect(complaints()).toEqual([])
  })

  it("is typed in the digits of another script", async () => {
    const page = await open()
    await send(page)
    for (const digit of await app.world.codeFor(to)) {
      await page.keyboard.insertText(String.fromCodePoint(0x6f0 + Number(digit)))
    }
    await page.getByText("is confirmed.").first().waitFor()
  })

  it("with letters is no code: what is wrong is said, and no check is spent", async () => {
    const page = await open()
    await send(page)
    await page.keyboard.type("12a")
    await alert(page, "The code has digits only.")
    expect(await page.locator("#code").inputValue()).toBe("12")
    await page.keyboard.press("Enter")
    await alert(page, "Enter all 6 digits.")
    await page.locator("#code").fill(wrong(await app.world.codeFor(to)))
    await alert(page, "That is not the code. Tries left: 4")
    expect(await page.locator("#code").inputValue()).toBe("")
    await page.locator("#code").fill(await app.world.codeFor(to))
    await page.getByText("is confirmed.").first().waitFor()
  })

  it("comes from the browser where it reads messages", async () => {
    const page = await open("/app.css")
    await page.addInitScript(() => {
      Reflect.set(globalThis, "OTPCredential", Object)
      const found = new Promise((resolve) => Reflect.set(globalThis, "offer", (code: string) => resolve({ code })))
      Object.defineProperty(navigator, "credentials", {
        value: { get: ({ otp }: { otp?: { transport: string[] } }) => (otp?.transport[0] === "sms" ? found : null) }
      })
    })
    await page.goto(`${app.origin}/phone`)
    await send(page)
    await page.evaluate(`offer(${JSON.stringify(await app.world.codeFor(to))})`)
    await page.getByText("is confirmed.").first().waitFor()
    expect(app.approved.length).toBe(1)
  })

  it("is sent again when the clock says so, and by the next channel", async () => {
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "call", timeout: 60 }
    ]
    await restarted({ start: { workflow } }, { resendInterval: 2 })
    const page = await open()
    await send(page)
    await page.getByText("We have sent a text message with the code").first().waitFor()
    const waiting = page.getByRole("button", { name: /^Send again in 0:0[12]$/ })
    expect(await waiting.getAttribute("aria-disabled")).toBe("true")
    await page.getByRole("button", { name: "Send again", exact: true }).click()
    await waiting.waitFor()
    const call = page.getByRole("button", { name: "Call me instead" })
    await expect.poll(() => call.getAttribute("aria-disabled"), { timeout: 10_000 }).toBe("false")
    await call.click()
    await page.getByText("the code is the last 6 digits of the calling number").first().waitFor()
    expect(await call.isVisible()).toBe(false)
  })
})

describe("without a mouse", () => {
  it("a number is proved, and focus goes with the stages", async () => {
    const page = await open()
    const focused = () => page.evaluate("document.activeElement.shadowRoot?.activeElement?.id")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    expect(await focused()).toBe("number")
    await page.keyboard.type("0151 23456789")
    await page.keyboard.press("Enter")
    await page.locator("#code").waitFor()
    expect(await focused()).toBe("code")
    await page.getByRole("status").filter({ hasText: "We have sent the code to" }).waitFor({ state: "attached" })
    await page.keyboard.type(await app.world.codeFor(to))
    await page.getByRole("status").filter({ hasText: "is confirmed." }).waitFor({ state: "attached" })
    expect(app.approved.length).toBe(1)
  })
})

describe("what goes wrong", () => {
  it("is a route that is down: the code stays, and is checked once it is up", async () => {
    const page = await open()
    await send(page)
    app.route.isDown = true
    await page.locator("#code").fill(await app.world.codeFor(to))
    await alert(page, "There is no connection.")
    expect(await page.locator("#code").inputValue()).toMatch(/^\d{6}$/)
    app.route.isDown = false
    await page.getByRole("button", { name: "Confirm" }).click()
    await page.getByText("is confirmed.").first().waitFor()
    expect(app.approved.length).toBe(1)
  })

  it("is a service that is away", async () => {
    await restarted({ onFault: () => {} })
    const page = await open()
    await page.locator("#number").fill("0151 23456789")
    await app.world.service.dispose()
    await page.getByRole("button", { name: "Send code" }).click()
    await alert(page, "This does not work right now.")
    expect(await page.locator("#number").inputValue()).toContain("0151")
  })

  it("is a session that ends", async () => {
    const page = await open()
    await send(page)
    app.sessions.areOver = true
    await page.locator("#code").fill(await app.world.codeFor(to))
    await alert(page, "Your session has ended.")
    expect(app.approved).toEqual([])
  })

  it("is too many wrong codes, behind which a user starts again", async () => {
    const page = await open()
    await send(page)
    const code = wrong(await app.world.codeFor(to))
    for (let left = 4; left > 0; left -= 1) {
      await page.locator("#code").fill(code)
      await page.getByRole("button", { name: "Confirm" }).click()
      await alert(page, `Tries left: ${left}`)
    }
    await page.locator("#code").fill(code)
    await page.getByRole("button", { name: "Confirm" }).click()
    await alert(page, "Too many wrong codes.")
    await page.getByRole("button", { name: "Start again" }).click()
    expect(await page.locator("#number").inputValue()).toContain("0151")
  })
})

describe("two tabs of a session", () => {
  it("have one code, and the second sees that the first has proved the number", async () => {
    const page = await open()
    const other = await page.context().newPage()
    await other.goto(`${app.origin}/phone`)
    await send(page)
    await other.locator("#number").fill("0151 23456789")
    await other.getByRole("button", { name: "Send code" }).click()
    await alert(other, "The code was sent a moment ago.")
    await page.locator("#code").fill(await app.world.codeFor(to))
    await page.getByText("is confirmed.").first().waitFor()
    await other.locator("#code").fill(await app.world.codeFor(to))
    await other.getByText("is confirmed.").first().waitFor()
    expect(app.approved).toEqual([`one ${to}`])
  })

  it("have a reload go on where it was", async () => {
    const page = await open()
    await send(page)
    await page.reload()
    await page.locator("#code").fill(await app.world.codeFor(to))
    await page.getByText("is confirmed.").first().waitFor()
  })
})

describe("without JavaScript", () => {
  it("a number is proved, in German, and goes on to the app's place", async () => {
    await restarted({ location: "/app?welcome" })
    const page = await open("/phone?lang=de", { javaScriptEnabled: false })
    await page.getByLabel("Telefonnummer").fill("12")
    await page.getByRole("button", { name: "Code senden" }).click()
    await alert(page, "Diese Nummer gibt es nicht.")
    expect(await page.getByLabel("Telefonnummer").inputValue()).toBe("12")
    await page.getByLabel("Telefonnummer").fill("0151 23456789")
    await page.getByRole("button", { name: "Code senden" }).click()
    await page.getByLabel("Code").fill(wrong(await app.world.codeFor(to)))
    await page.getByRole("button", { name: "Bestätigen" }).click()
    await alert(page, "Das ist nicht der Code.")
    await page.getByLabel("Code").fill(await app.world.codeFor(to))
    await page.getByLabel("Code").press("Enter")
    await page.waitForURL("**/app?welcome")
    expect(app.approved.length).toBe(1)
  })
})

describe("an app's own page", () => {
  it("has the form under a strict policy, in its language and with its style", async () => {
    const page = await open("/app?own&lang=ar")
    await page.getByRole("button", { name: "إرسال الرمز" }).waitFor()
    const styles = await page.evaluate(`(() => {
      const root = document.querySelector("watchword-form").shadowRoot
      const { backgroundColor, borderRadius, direction } = getComputedStyle(root.querySelector("button"))
      return [backgroundColor, borderRadius, direction]
    })()`)
    expect(styles).toEqual(["rgb(0, 170, 0)", "0px", "rtl"])
    expect(complaints()).toEqual([])
  })

  it("hears of the approval by an event, and may keep the form from going on", async () => {
    await restarted({ location: "/app?welcome" })
    const page = await open("/app")
    await page.evaluate(`addEventListener("approved", (event) => {
      event.preventDefault()
      document.title = JSON.stringify(event.detail)
    })`)
    await send(page)
    await page.locator("#code").fill(await app.world.codeFor(to))
    await expect.poll(() => page.title()).toBe(JSON.stringify({ to, location: "/app?welcome" }))
    expect(page.url()).toBe(`${app.origin}/app`)
    await page.evaluate("document.querySelector('watchword-form').remove()")
  })

  it("goes on to the app's place", async () => {
    await restarted({ location: "/app?welcome" })
    const page = await open("/app")
    await send(page)
    await page.locator("#code").fill(await app.world.codeFor(to))
    await page.waitForURL("**/app?welcome")
    expect(app.approved.length).toBe(1)
  })

  it("in React hears of it too, with texts of its own", async () => {
    const page = await open("/react")
    await page.getByRole("button", { name: "Text me" }).waitFor()
    expect(await page.getByRole("combobox").inputValue()).toBe("FR")
    await page.locator("#number").fill("+49 151 23456789")
    await page.getByRole("button", { name: "Text me" }).click()
    await page.locator("#code").waitFor()
    await page.locator("#code").fill(await app.world.codeFor(to))
    await page.getByText(`React knows ${to}`).waitFor()
    expect(complaints()).toEqual([])
  })
})
