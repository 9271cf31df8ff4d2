export { encodeMessage } from './encode.ts'
export { decodeMessage, type Message, type MessageHead } from './decode.ts'
export { createMessageReader, type MessageReader } from './read.ts'
export { splitMessages, type RawMessage } from './split.ts'
