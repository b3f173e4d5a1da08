const encoder = new TextEncoder()

/** A value as the bytes of its JSON. */
export const bytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value))
