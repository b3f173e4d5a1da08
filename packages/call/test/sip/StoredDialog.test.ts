/**
 * INVITEs as they are stored: whatever was in one comes back.
 */
import * as StoredDialog from "../../src/internal/sip/StoredDialog.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

/** Typical values of headers, with quotes, backslashes and octets beyond ASCII among it; no line breaks. */
const text = FastCheck.oneof(
  FastCheck.stringMatching(/^[ -~\u00a0-\u00ff\t]{0,30}$/),
  FastCheck.constantFrom("", '"', "\\", "\u007f", "\u2028", "<sip:+4915123456789@127.0.0.1:5060;user=phone>")
)

const place = { protocol: "udp", address: "192.0.2.1", port: 5060 } as const

const stored = FastCheck.record({
  protocol: FastCheck.constant(place.protocol),
  address: FastCheck.constant(place.address),
  port: FastCheck.constant(place.port),
  trunk: text,
  sentBy: text,
  uri: text,
  from: text,
  proxy: text,
  callId: text,
  cseq: FastCheck.nat(),
  dialog: FastCheck.option(FastCheck.record({ to: text, contact: text, routes: FastCheck.array(text) }))
})

const written = ({ dialog, proxy, sentBy, trunk, ...words }: StoredDialog.StoredInvite): string => {
  const route = { trunk, endpoint: { ...place, tls: {} }, sentBy, proxy }
  const invite = { ...words, to: `<${words.uri}>`, branch: "", route }
  return StoredDialog.encode(invite, dialog === null ? null : { invite, ...dialog })
}

describe("a stored dialog", () => {
  it("is read as it was written, alone or with others, before it rings and after", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(stored, { minLength: 1, maxLength: 3 }), (invites) => {
        const text = StoredDialog.join(invites.map(written))
        expect(StoredDialog.decode(text)).toEqual(invites)
      })
    )
  })

  it.each([
    ["nothing", ""],
    ["another protocol", "trunk\nsctp\n192.0.2.1\n5060\na:1\nsip:b\n<sip:a>\n\nid\n1\n0"],
    ["no address", "trunk\nudp\na.example\n5060\na:1\nsip:b\n<sip:a>\n\nid\n1\n0"],
    ["no port", "trunk\nudp\n192.0.2.1\n0\na:1\nsip:b\n<sip:a>\n\nid\n1\n0"],
    ["no sequence number", "trunk\nudp\n192.0.2.1\n5060\na:1\nsip:b\n<sip:a>\n\nid\nx\n0"],
    ["too few lines", "trunk\nudp\n192.0.2.1\n5060"],
    ["a carriage return", "trunk\nudp\n192.0.2.1\n5060\na:1\nsip:b\n<sip:a>\rVia: x\n\nid\n1\n0"]
  ])("with %s is none", (_what, text) => {
    expect(StoredDialog.decode(text)).toEqual([])
  })
})
