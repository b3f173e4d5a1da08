/**
 * Server-sent events of an answer.
 */

/**
 * Calls back with the data and the name of each event, until the stream ends.
 *
 * @param heard called with whatever comes, also a comment
 */
export const eachEvent = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (data: string, name: string) => void,
  heard: () => void = () => {}
): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    rest += value
    const events = rest.split("\n\n")
    rest = events.pop() ?? ""
    for (const event of events) {
      const data = valuesOf(event, "data")
      if (data.length > 0) take(data.join("\n"), valuesOf(event, "event")[0] ?? "message")
    }
  }
}

const valuesOf = (event: string, field: string): ReadonlyArray<string> =>
  event.split("\n").flatMap((line) => (line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : []))
