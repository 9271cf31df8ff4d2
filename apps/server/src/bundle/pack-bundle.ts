import { type Bundle, serializeBundle, writeArchive } from '@parquetry/bundle'
import { AppError, message } from '@parquetry/model'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { Runners } from '../runners/runners.ts'

/** Smaller bundles are packed in this process, which is faster than starting another one. */
const smallBytes = 16 << 10
const maxBytes = 64 << 20

/** Packs a bundle as an export ZIP. @throws AppError `unprocessable` when it is too large */
export async function packBundle(
  runners: Runners,
  bundle: Bundle,
  root: string,
  { signal, person }: { signal: AbortSignal; person: string },
): Promise<Buffer> {
  const yielder = new EventLoopYielder()
  const lines: Buffer[] = []
  let bytes = 0
  for (const line of serializeBundle(bundle)) {
    const encoded = Buffer.from(line)
    bytes += encoded.length
    if (bytes > maxBytes)
      throw new AppError('unprocessable', {
        message: message(
          'errors.bundle.exportTooLarge',
          'The export is too large for one archive. Export fewer objects at once.',
        ),
      })
    lines.push(encoded)
    await yielder.yieldIfDue()
  }
  if (bytes <= smallBytes) return writeArchive(bundle, root)
  return runners.writeBundle(Buffer.concat(lines), root, signal, person)
}
