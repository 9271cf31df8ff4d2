export { encodeMessage } from './encode.ts'
export { decodeMessage, type Message, type MessageHead } from './decode.ts'
export { readMessages, type MessageReader } from './read.ts'
