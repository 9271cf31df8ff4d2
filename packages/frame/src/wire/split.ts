import { headLength, invalidMessage, parseHead, type MessageHead } from './decode.ts'
import { padToEight } from './format.ts'

/** A message whose frame is not decoded. */
export interface RawMessage {
  head: MessageHead
  /** Description and bytes of the frame, as the encoder wrote them. */
  frame: { description: string; body: Uint8Array } | null
}

/** Splits complete messages without decoding their frames. @throws AppError `invalid_payload` */
export function splitMessages(bytes: Uint8Array): RawMessage[] {
  const messages: RawMessage[] = []
  for (let start = 0; start < bytes.length;) {
    const rest = bytes.subarray(start)
    if (rest.length < 4) throw invalidMessage('message is cut')
    const end = 4 + headLength(rest)
    const { head, wire, length } = parseHead(rest.subarray(0, end))
    if (length > rest.length) throw invalidMessage('message is cut')
    const body = rest.subarray(padToEight(end), length)
    messages.push({ head, frame: wire && { description: JSON.stringify(wire), body } })
    start += length
  }
  return messages
}
