/**
 * Corrections to the OpenAPI document that no annotation of a schema can make.
 */
import { securitySchemes } from "../Headers.ts"

type Json = unknown

/**
 * - The two headers that authenticate are security schemes.
 * - Objects may hold fields that the document does not name: requests may, because the service ignores
 *   them, and answers may in a later version.
 * - Schemas have their names without the suffix that marks the wire form of a class.
 */
export const describeWhole = (document: Record<string, Json>): Record<string, Json> => {
  const renamed: Json = JSON.parse(
    JSON.stringify(document, (key, value: Json) =>
      key === "additionalProperties" && value === false ? undefined : value
    ).replaceAll(/("#\/components\/schemas\/\w+|"\w+)Encoded"/g, '$1"')
  )
  const whole = isRecord(renamed) ? renamed : {}
  const components = isRecord(whole["components"]) ? whole["components"] : {}
  return { ...whole, components: { ...components, securitySchemes } }
}

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
