/**
 * Alarms of the server, by its settings.
 */
import { afterEach, describe, expect, it } from "vitest"
import { closeReceivers, receive } from "../../events/test/receiver.ts"
import { folderForAll } from "../../../test/folder.ts"
import { answerOf, command, failingCommand } from "./Standalone.ts"

const { file } = folderForAll()

afterEach(closeReceivers)

const environment = () => ({ DATABASE_URL: `sqlite:${file("test.db")}` })
const ALARM_WEBHOOK_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAAAAAA"

describe("alarm test", () => {
  it("sends a test to the destinations of the settings", async () => {
    await command(environment(), "account", "create")
    const receiver = await receive()
    const settings = {
      ...environment(),
      ALARM_WEBHOOK_URL: receiver.url,
      ALARM_WEBHOOK_SECRET,
      ALARM_SLACK_URL: `${receiver.url}/slack`,
      WEBHOOK_ALLOW_PRIVATE: "true"
    }
    expect(await command(settings, "alarm", "test")).toEqual({
      destinations: [
        { destination: "webhook", taken: true, answer: "204" },
        { destination: "slack", taken: true, answer: "204" }
      ]
    })
    expect(receiver.got.map(({ path }) => path).toSorted()).toEqual(["/", "/slack"])
    const { stdout } = await answerOf({ ...settings, WEBHOOK_ALLOW_PRIVATE: "false" }, "alarm", "test")
    expect(stdout).toContain("webhook  not taken: private address")
  })

  it("names the settings where there is no destination, and the one that is missing", async () => {
    expect(await failingCommand(environment(), "alarm", "test")).toMatchObject({
      stderr: expect.stringContaining("set ALARM_WEBHOOK_URL, ALARM_SLACK_URL or ALARM_EMAIL_TO")
    })
    const half = { ...environment(), ALARM_EMAIL_TO: "anna@example.com" }
    expect(await failingCommand(half, "alarm", "test")).toMatchObject({
      stderr: expect.stringContaining("SMTP_URL must be set, because ALARM_EMAIL_TO is")
    })
  })
})
