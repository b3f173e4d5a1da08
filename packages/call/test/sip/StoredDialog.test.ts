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

const stored = FastCheck.record({
  trunk: text,
  sentBy: text,
  uri: text,
  from: text,
  to: text,
  proxy: text,
  branch: text,
  callId: text,
  cseq: FastCheck.nat(),
  dialog: FastCheck.option(FastCheck.record({ to: text, contact: text, routes: FastCheck.array(text) }))
})

describe("a stored dialog", () => {
  it("is read as it was written, alone or with others, before it rings and after", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(stored, { minLength: 1, maxLength: 3 }), (dialogs) => {
        const endpoint = { protocol: "udp", address: "192.0.2.1", port: 5060 } as const
        const written = dialogs.map(({ dialog, proxy, sentBy, trunk, ...words }) => {
          const invite = { ...words, route: { trunk, endpoint: { ...endpoint, tls: {} }, sentBy, proxy } }
          return StoredDialog.storedInvite(invite, dialog === null ? null : { invite, ...dialog })
        })
        expect(StoredDialog.decode(StoredDialog.encode(written))).toEqual(
          dialogs.map(({ dialog, ...words }) => ({ ...words, ...endpoint, ...(dialog === null ? {} : { dialog }) }))
        )
      })
    )
  })
})
