/**
 * Calls that are prepared first, so that their dialogs are stored with their records.
 */
import type { Service } from "@watchword/call/CallGateway"
import { branchOf } from "../../src/internal/sip/Invite.ts"
import * as StoredDialog from "../../src/internal/sip/StoredDialog.ts"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { test, turns } from "../../../../test/live.ts"
import { callee, caller, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import { branch, header } from "@watchword/sandbox/trunk"

/**
 * Prepares a call and places it after something has happened; answers its branches, as prepared and as stored later.
 */
const prepareAndDial = Effect.fnUntraced(function* (
  gateway: Service,
  meanwhile: Effect.Effect<unknown> = Effect.void,
  stored: (dialog: string) => void = () => {}
) {
  const prepared = yield* prepare(gateway)
  yield* meanwhile
  const later: Array<ReadonlyArray<string>> = []
  const call = order({ prepared })
  const dialled = yield* gateway.dial(call, (dialog) =>
    Effect.sync(() => {
      later.push(branches(dialog))
      stored(dialog)
    })
  )
  return { call, prepared, dialled, branches: branches(prepared.dialog), later }
})

/** Trunks are looked up as soon as the gateway is there, but not at once. */
const prepare = (gateway: Service) =>
  Effect.sync(() => gateway.prepare?.({ caller, callee }) ?? null).pipe(
    Effect.tap(turns),
    Effect.repeat({ until: (prepared) => prepared !== null }),
    Effect.flatMap((prepared) =>
      prepared === null ? Effect.die("the call was not prepared") : Effect.succeed(prepared)
    )
  )

const branches = (dialog: string): ReadonlyArray<string> =>
  StoredDialog.decode(dialog).map(({ callId, cseq }) => branchOf(callId, cseq))

describe("a prepared call", () => {
  test(
    "is placed as prepared, and ended by its dialog",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { branches, call, dialled, later, prepared } = yield* prepareAndDial(gateway)
      expect([resultOf(dialled), later]).toEqual(["Ringing", []])
      const [invite] = trunk.requests("INVITE")
      expect([invite && branch(invite)]).toEqual(branches)
      const [stored] = StoredDialog.decode(prepared.dialog)
      for (const name of ["from", "callId"] as const) {
        expect(stored?.[name]).toBe(invite && header(invite, name === "callId" ? "call-id" : name))
      }
      const next = yield* startGateway(trunk.url(), { drain: 0 })
      yield* next.recover([{ delivery: call.delivery, dialog: prepared.dialog }])
      yield* until(trunk, () => trunk.calls[0]?.finalStatus === 487)
    })
  )

  test(
    "that is asked for credentials has its second INVITE stored before it leaves",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({
        invite: (call) => {
          const isAllowed = /^authorization:/im.test(call.invite.text)
          if (isAllowed) call.respond(180)
          else call.respond(401, { headers: ['WWW-Authenticate: Digest realm="trunk", nonce="n1"'] })
        }
      })
      const gateway = yield* startGateway(trunk.url())
      const sent: Array<number> = []
      const { dialled, later } = yield* prepareAndDial(gateway, Effect.void, () => {
        sent.push(trunk.requests("INVITE").length)
      })
      expect([resultOf(dialled), sent]).toEqual(["Ringing", [1]])
      expect(later).toEqual([trunk.requests("INVITE").slice(1).map(branch)])
    })
  )

  test(
    "that goes to another trunk has its dialogs stored instead",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ invite: (call) => call.respond(503, { headers: ["Retry-After: 5"] }) })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const others = gateway.dial(order(), () => Effect.void)
      // Meanwhile the first trunk asks to rest.
      const { branches, dialled, later } = yield* prepareAndDial(gateway, Effect.orDie(others))
      expect(resultOf(dialled)).toBe("Ringing")
      const [, invite] = second.requests("INVITE")
      expect(later).toEqual([[invite && branch(invite)]])
      expect(later).not.toContainEqual(branches)
    })
  )

  test(
    "whose trunk says nothing is stored with the INVITE to the next",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ invite: () => {} })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const { branches, dialled, later } = yield* prepareAndDial(gateway)
      expect(resultOf(dialled)).toBe("Ringing")
      const invites = second.requests("INVITE").map(branch)
      expect(later).toEqual([[...branches, ...invites]])
      expect(invites).toHaveLength(1)
    })
  )
})
