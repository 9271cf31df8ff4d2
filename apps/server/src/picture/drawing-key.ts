import { createHash } from 'node:crypto'
import { splitMessages, type RawMessage } from '@parquetry/frame/wire'
import type { DrawingInput } from './chart-picture.ts'

/** Heads that are not drawn. */
const undrawn = new Set(['beat', 'progress'])

function messageKey({ head, frame }: RawMessage): string {
  // The same result may come from the cache or not.
  const { is_cached: _, cached_dttm: __, ...drawn } = head
  const hash = createHash('sha256').update(JSON.stringify(drawn))
  if (frame) hash.update(frame.description).update(frame.body)
  return hash.digest('base64url')
}

/**
 * Key of everything that an image shows: document, theme, language and results. Results contain what the caller may read, so
 * images of different permissions have different keys. Charts of a dashboard arrive in any order.
 */
export function drawingKey({ picture, messages }: DrawingInput): string {
  const { at: _, ...drawn } = picture
  const keys = splitMessages(messages)
    .filter(({ head }) => !undrawn.has(head.type))
    .map(messageKey)
  return createHash('sha256')
    .update(JSON.stringify([drawn, keys.sort()]))
    .digest('base64url')
}
