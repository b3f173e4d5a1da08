/**
 * Requests and answers of `node:http`, for hosts on Node.
 */
export {
  bodyOf,
  closing,
  endStream,
  isUnread,
  pathBehind,
  pathOf,
  reader,
  reasonOf,
  writeAnswer
} from "./internal/NodeMessages.ts"
