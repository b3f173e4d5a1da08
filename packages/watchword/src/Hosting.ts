/**
 * The parts of a service, for programs that make its services by layers of their own, as a Worker does.
 */
export { all as channelsOf, channels, layerBuiltIn as builtInChannels } from "./internal/Channels.ts"
export { jsonLines } from "./internal/Logger.ts"
export { layer as ownClock } from "./internal/OwnClock.ts"
export { type Options, type Part, type Watchword, environment, over } from "./internal/Watchword.ts"
