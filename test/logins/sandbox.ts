/**
 * A user at the page of the sandbox's Telegram.
 */

/**
 * Fills the form of the page in, as it comes unless fields say otherwise, and resolves to the address that the answer
 * leads to.
 */
export const decide = async (uri: string, fields: Readonly<Record<string, string>>): Promise<string> => {
  const html = await (await fetch(uri)).text()
  const filled = [...html.matchAll(/<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")] as const
  )
  const body = new URLSearchParams({ ...Object.fromEntries(filled), ...fields })
  const response = await fetch(uri, { method: "POST", body, redirect: "manual" })
  const location = response.headers.get("location")
  if (location === null) throw new Error(`the sandbox answers ${response.status}`)
  return location
}
