/**
 * Failures of messages that no carrier has answered: parts that were not written, and parts that may or may not have
 * been sent.
 */
import { BadRequest, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"

export const disconnected = () =>
  new ServiceUnavailable({ message: "No carrier is connected. The message was not sent." })

export const tooManyParts = (parts: number, most: number) =>
  new BadRequest({
    message: "The message cannot be sent.",
    issues: [{ path: "text", message: `has ${parts} parts, and the carrier takes ${most} in time` }]
  })

export const unwritable = () =>
  new BadRequest({
    message: "The message cannot be sent.",
    issues: [
      {
        path: "text",
        message: "has a character that the carrier's alphabet lacks, and is longer than the 70 that it takes in UCS-2"
      }
    ]
  })

export const expired = () =>
  new TemporaryUnavailable({ message: "The text's ttl passed before a carrier could take it. It was not sent." })

export const connectionLost = () =>
  new ServiceUnavailable({ message: "The carrier's connection was lost; it is unknown whether the message was sent." })

export const noAnswer = () =>
  new TemporaryUnavailable({ message: "The carrier did not answer; it is unknown whether the message was sent." })
