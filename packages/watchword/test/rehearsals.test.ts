import { receipt, smsc } from "@watchword/sandbox/smsc"
import { smpp } from "@watchword/sms/smpp"
import { expect, it } from "vitest"
import { createWatchword, memory, operatorOf, watchwordConsole } from "watchword"

it("programs and the console read what a carrier says to a rehearsal", async () => {
  const carrier = await smsc({ script: { receipt: (submit) => receipt(submit) } })
  const service = await createWatchword({ store: memory(), sms: smpp({ url: carrier.url() }) })
  try {
    const shown = "@ _ $ £ é|Ж € 漢|one"
    const phone = { to: "+4915123456789", yes: true, wait: 4 }
    const first = await service.operator.carrier.try({ carrier: "127.0.0.1", ...phone, shown })
    expect(first.findings).toContainEqual({ about: "long texts", found: "the phone shows one text" })

    // Of the same rehearsal, which is read again.
    const { id, findings } = await operatorOf(service).carrier.try({ carrier: "127.0.0.1", shown })
    expect({ id, findings }).toEqual({ id: first.id, findings: first.findings })

    const handler = watchwordConsole(service, { authorize: () => ({ name: "anna", role: "operator" }) }).fetch
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" }
    const body = JSON.stringify({ carrier: "127.0.0.1", shown })
    const url = "https://example.com/ops/operator/v1/carrier/try"
    const answer = await handler(new Request(url, { method: "POST", headers, body }))
    expect(await answer.json()).toMatchObject({ id, findings })
  } finally {
    await service.dispose()
    await carrier.stop()
  }
})
