/**
 * Writes the pictures of docs/console.md, pages of the console on a seeded service, and of docs/form.md, in Chromium.
 * `npm run pictures`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "../packages/console/test-peers/ConsoleServer.ts"
import { launch, openTab } from "../packages/console/test-peers/chromium.ts"
import { pictures as picturesOfForm } from "../packages/form/test-peers/pictures.ts"
import { numbers, seed } from "../packages/console/test-peers/seed.ts"
import { countTraffic } from "../test/countedTraffic.ts"

const PICTURES = [
  { name: "number", hash: `number/${numbers.undelivered}`, text: "Flash call", width: 1200, height: 720 },
  { name: "guards", hash: "guards", text: "only record", width: 1200, height: 760 },
  { name: "traffic", hash: "traffic", text: "Nigeria", width: 1200, height: 860 },
  { name: "phone", hash: `number/${numbers.delivered}`, text: "Verification", width: 390, height: 780 }
]

const folder = mkdtempSync(join(tmpdir(), "pictures-"))
const file = join(folder, "watchword.db")
await countTraffic(file, Date.now())
const server = await start(file)
const browser = await launch()
const account = await seed(server)
const pictures = [
  ...PICTURES,
  { name: "account", hash: `accounts/${account}`, text: "123456 ist dein Code", width: 1200, height: 760 }
]
// Until the network has said what became of the sends.
await new Promise((resolve) => setTimeout(resolve, 3_000))
for (const { hash, height, name, text, width } of pictures) {
  const { close, page } = await openTab(browser, { viewport: { width, height }, timezoneId: "UTC" })
  await page.goto(`${server.url}#/${hash}`)
  await page.getByLabel("Token").fill(await server.grant("admin"))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("main").getByText(text).filter({ visible: true }).first().waitFor()
  const path = join(import.meta.dirname, `../docs/pictures/console-${name}.png`)
  await page.screenshot({ path, animations: "disabled" })
  await close()
}
await picturesOfForm(browser)
await browser.close()
await server.stop()
rmSync(folder, { recursive: true })
