/**
 * Endpoints that channels have in common: the look-up of a record, the list of them, and the report of an outcome.
 */
import { Envelope, ListBody } from "@watchword/pagination/Page"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, NotFound, TooManyRequests } from "../Errors.ts"

/** A parameter of a path. */
export const parameter = (description: string) => Schema.String.annotateKey({ description })

/** The parameter that names a delivery record. */
export const uuid = parameter("The id of the delivery record.")

/** @param the record's name, as in "a delivery record" */
export const get = <
  const Path extends `/${string}`,
  const Params extends Schema.Struct.Fields,
  Item extends Schema.Top
>(
  path: Path,
  params: Params,
  item: Item,
  what: string
) =>
  HttpApiEndpoint.get("get", path, { params, success: item, error: NotFound }).annotateMerge(
    OpenApi.annotations({ summary: `Look up ${what}`, description: `Looks up ${what}.` })
  )

/** @param the records' name, as in "delivery records" */
export const list = <const Path extends `/${string}`, Item extends Schema.Top>(path: Path, item: Item, what: string) =>
  HttpApiEndpoint.post("list", path, {
    payload: ListBody,
    success: Envelope(item).annotate({ description: `A page of ${what}.` }),
    error: [BadRequest, TooManyRequests]
  }).annotateMerge(
    OpenApi.annotations({
      summary: `List ${what}`,
      description:
        `Lists ${what}, the newest first unless \`sort_by\` says otherwise. A page past the end is empty and has the true ` +
        "totals."
    })
  )

/** @param what names the record whose outcome is reported, as in "a text" */
export const report = <const Path extends `/${string}`, Body extends Schema.Top, Answer extends Schema.Top>(
  path: Path,
  payload: Body,
  success: Answer,
  what: string
) =>
  HttpApiEndpoint.post("report", path, { payload, success, error: [BadRequest, NotFound, Conflict] }).annotateMerge(
    OpenApi.annotations({
      summary: "Report an outcome",
      description: `Reports what became of ${what}. Repeating a report is fine; contradicting one is a conflict.`
    })
  )
