/** Answers of commands that there are not yet. */
const MINUTE = 60_000

const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString()

const CHANNELS = ["chatgw", "sms", "sms", "call", "bizchat"]
const STATUSES = ["delivered", "sent", "failed", "delivered", "unknown", "blocked", "read"]

export const fakes = () => {
  let made = 0
  const delivery = (minutes: number) => {
    made += 1
    const status = STATUSES[made % STATUSES.length] ?? "sent"
    return {
      id: `sms_01KAJ${String(made).padStart(21, "0")}`,
      account_id: `acc_01KAJ${made % 2 ? "ACME0000000000000000A" : "SHOP0000000000000000B"}`,
      mode: made % 9 === 0 ? "sandbox" : "live",
      channel: CHANNELS[made % CHANNELS.length] ?? "sms",
      to: `+49151234${String(10000 + made * 37).slice(-5)}`,
      status,
      reason: status === "failed" ? "absent_subscriber" : status === "blocked" ? "pumping" : null,
      price: status === "blocked" ? 0 : 0.0715,
      verification_id: null,
      created_at: ago(minutes),
      updated_at: ago(minutes)
    }
  }
  const deliveries = Array.from({ length: 120 }, (_, place) => delivery(place * 1.7))
  const look = (input: any) => {
    const found = deliveries.filter(
      (each) =>
        (!input.channel || each.channel === input.channel) &&
        (!input.status || each.status === input.status) &&
        (!input.mode || each.mode === input.mode)
    )
    const start = input.after === undefined ? 0 : Number(input.after)
    const limit = Number(input.limit ?? 50)
    return {
      list: found.slice(start, start + limit),
      next: start + limit < found.length ? String(start + limit) : null
    }
  }
  const counts = (sent: number, delivered: number, failed: number, blocked: number) => ({
    sent,
    delivered,
    failed,
    blocked,
    pending: 3
  })
  const overview = {
    at: ago(0),
    version: "0.1.0",
    since: ago(60),
    truncated: false,
    migrations: { database: 41, program: 41 },
    channels: [
      { channel: "chatgw", hour: counts(1840, 1610, 22, 0), week_ago: counts(1790, 1588, 20, 0) },
      { channel: "sms", hour: counts(944, 512, 121, 310), week_ago: counts(902, 871, 14, 2) },
      { channel: "call", hour: counts(210, 180, 12, 0), week_ago: counts(230, 199, 15, 0) }
    ],
    problems: [
      {
        kind: "delivery",
        severity: "bad",
        text: "SMS: 54 % delivered in the last hour, 97 % a week ago.",
        link: "#/live"
      },
      {
        kind: "webhook",
        severity: "warn",
        text: "A webhook of Acme has taken no event for 3 hours.",
        link: "#/connections"
      }
    ],
    events: { pending: 214, oldest: ago(181) },
    unknown: { count: 7, oldest: ago(44) },
    low_balances: [{ account_id: "acc_01KAJACME0000000000000000A", name: "Acme", available: 3.2, threshold: 10 }],
    verifications: {
      hour: { started: 2044, approved: 1301, expired: 402, failed: 61 },
      week_ago: { started: 1988, approved: 1702, expired: 201, failed: 33 }
    }
  }
  const fields = [] as ReadonlyArray<never>
  const command = (name: string, role: "support" | "operator" = "support") => ({
    name,
    description: name,
    role,
    fields
  })
  return {
    add: (count = 1) => {
      for (let n = 0; n < count; n += 1) deliveries.unshift(delivery(0))
    },
    overview,
    commands: [
      command("overview"),
      command("delivery list"),
      command("verification list"),
      command("verification cancel", "operator")
    ],
    answers: {
      overview: () => overview,
      "delivery list": (input: unknown) => {
        const { list, next } = look(input)
        return { deliveries: list, next }
      },
      "verification list": (input: unknown) => {
        const { list, next } = look(input)
        return { verifications: list, next }
      },
      "verification cancel": () => ({})
    } as Record<string, (input: unknown) => unknown>
  }
}

export type Fakes = ReturnType<typeof fakes>
