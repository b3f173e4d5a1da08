/**
 * The paths of Verify v2.
 */
import type { HostRequest } from "@watchword/server/Host"

/** A call, and the id in its path. */
export type Call =
  | { readonly name: "start"; readonly route: string }
  | { readonly name: "check" | "next" | "cancel"; readonly route: string; readonly requestId: string }
  | { readonly name: "templates" | "unknown" | "wrongVerb"; readonly route: string }

const REQUEST = "/v2/verify/:request_id"

/** The call that a request makes. Two slashes in front come from a base URL that ends in one. */
export const callOf = ({ method, path }: Pick<HostRequest, "method" | "path">): Call => {
  const [version, verify, id, action, ...more] = (path.split("?", 1)[0] ?? "").split("/").filter((part) => part !== "")
  if (version !== "v2" || verify !== "verify" || more.length > 0) return unknown
  if (id === undefined) return method === "POST" ? { name: "start", route: "/v2/verify" } : wrongVerb("/v2/verify")
  if (id === "templates") return { name: "templates", route: "/v2/verify/templates" }
  if (action === "next-workflow" || action === "next_workflow") {
    const route = `${REQUEST}/next-workflow`
    return method === "POST" ? { name: "next", route, requestId: id } : wrongVerb(route)
  }
  if (action !== undefined) return unknown
  switch (method) {
    case "POST":
      return { name: "check", route: REQUEST, requestId: id }
    case "DELETE":
      return { name: "cancel", route: REQUEST, requestId: id }
    default:
      return wrongVerb(REQUEST)
  }
}

const unknown: Call = { name: "unknown", route: "none" }

const wrongVerb = (route: string): Call => ({ name: "wrongVerb", route })
