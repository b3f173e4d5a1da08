/**
 * How many messages a second the SMPP gateway submits, and what each costs, with 100 on their way at a time.
 * The carrier is a process of its own that answers at once. Run with `node bench/smpp.ts`.
 */
import { encode } from "@watchword/sms/EncodedText"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { smpp } from "@watchword/sms/smpp"
import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import * as Effect from "effect/Effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import * as net from "node:net"

const WINDOW = 100
const MESSAGES = 100_000
const ROUNDS = 5

/** Answers every request with success; a submit_sm_resp has a message id, the others' bodies are empty. */
const carrier = (): void => {
  let id = 0
  const server = net.createServer((socket) => {
    let rest = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const answers: Array<Buffer> = []
      let start = 0
      while (bytes.length - start >= 4 && bytes.length - start >= bytes.readUInt32BE(start)) {
        const body = bytes.readUInt32BE(start + 4) === 4 ? `${++id}\0` : "\0"
        const answer = Buffer.alloc(16 + body.length)
        answer.writeUInt32BE(answer.length, 0)
        answer.writeUInt32BE((bytes.readUInt32BE(start + 4) | 0x8000_0000) >>> 0, 4)
        answer.writeUInt32BE(bytes.readUInt32BE(start + 12), 12)
        answer.write(body, 16, "latin1")
        answers.push(answer)
        start += bytes.readUInt32BE(start)
      }
      rest = Buffer.from(bytes.subarray(start))
      socket.write(Buffer.concat(answers))
    })
  })
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
  process.once("disconnect", () => process.exit())
}

const to = E164.make("+4915123456789")
const from = Sender.make("Watchword")
const account = nextAccountId(Date.now())
const text = encode("Your code is 123456. It is valid for five minutes.")

const round = Effect.fnUntraced(function* (gateway: SmsGateway["Service"]) {
  const delivery = nextDeliveryId(Date.now())
  const message = { delivery, account, to, from, text, ttl: null, hasCode: true, tlvs: [] }
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  let sent = 0
  let accepted = 0
  const worker = Effect.gen(function* () {
    while (sent < MESSAGES) {
      const reference = sent++ & 0xffff
      const outcome = yield* gateway.send({ ...message, reference })
      if (outcome._tag === "Accepted") accepted++
    }
  })
  yield* Effect.all(
    Array.from({ length: WINDOW }, () => worker),
    { concurrency: "unbounded", discard: true }
  )
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const { user, system } = process.cpuUsage(cpu)
  if (accepted !== MESSAGES) return yield* Effect.die(new Error(`only ${accepted} of ${MESSAGES} were accepted`))
  return { perSecond: MESSAGES / seconds, cpu: (user + system) / MESSAGES }
})

const program = Effect.gen(function* () {
  const gateway = yield* SmsGateway
  const rounds = []
  for (let index = 0; index < ROUNDS; index++) rounds.push(yield* round(gateway))
  const { perSecond, cpu } = rounds.toSorted((a, b) => a.perSecond - b.perSecond)[ROUNDS >> 1] ?? {
    perSecond: 0,
    cpu: 0
  }
  console.log(`smpp: ${Math.round(perSecond)} submit_sm/s at a window of ${WINDOW}, ${cpu.toFixed(1)} µs CPU each`)
})

if (process.argv[2] === "carrier") {
  carrier()
} else {
  const child = fork(import.meta.filename, ["carrier"])
  const [address]: ReadonlyArray<net.AddressInfo> = await once(child, "message")
  await Effect.runPromise(
    Effect.provide(program, smpp({ url: `smpp://bench:bench@127.0.0.1:${address?.port}?window=${WINDOW}` }))
  )
  child.disconnect()
}
