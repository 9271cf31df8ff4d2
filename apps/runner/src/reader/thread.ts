import type { UnpackedEntry } from '@parquetry/bundle'
import type { ReaderTask } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from './run-reader-task.ts'

const { task, body } = workerData as { task: ReaderTask; body: Uint8Array }

const post = (message: ThreadMessage, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(message, moved)

/** Sends bytes of their own buffer: those of a view would be copied with everything else in it. */
function postBytes(chunk: string | Uint8Array): void {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : new Uint8Array(chunk)
  post({ bytes }, [bytes.buffer])
}

/** Places of documents are sent together, at most for this time and until they have this many characters. */
const [entriesMs, entriesLength] = [100, 4096]

async function* produceBytes(): AsyncGenerator<string | Uint8Array> {
  if (task.what === 'sql') return yield (await import('@parquetry/sql')).formatSql(task.sql, task.dialect)
  if (task.what === 'bundle') return yield* unpack(task)
  const { checkMetadata, findLine, packDocuments, readArchivedText } = await import('@parquetry/bundle')
  if (task.what === 'line') {
    const text = await readArchivedText(task.path, task.file)
    return yield String((text !== undefined && findLine(text, task.keys)) || '')
  }
  const entries = JSON.parse(Buffer.from(body).toString('utf8')) as UnpackedEntry[]
  const documentBytes = entries.reduce((total, [, , length]) => total + length, 0)
  post({ writtenBytes: documentBytes })
  await packDocuments({ ...task, metadata: checkMetadata(task.metadata) }, entries)
}

async function* unpack({ path, output, limits }: Extract<ReaderTask, { what: 'bundle' }>): AsyncGenerator<string> {
  const { unpackArchive } = await import('@parquetry/bundle')
  let total: number | undefined
  let waiting = ''
  let sentAt = performance.now()
  const onStart = ({ documents, unpackedBytes }: { documents: number; unpackedBytes: number }): void => {
    total = documents
    post({ unpackedBytes })
  }
  for await (const entry of unpackArchive(path, output, { limits, onStart })) {
    if (total !== undefined) yield `${total}\n`
    total = undefined
    waiting += `${JSON.stringify(entry)}\n`
    const now = performance.now()
    if (waiting.length < entriesLength && now - sentAt < entriesMs) continue
    yield waiting
    waiting = ''
    sentAt = now
  }
  if (waiting !== '') yield waiting
}

try {
  for await (const chunk of produceBytes()) postBytes(chunk)
} catch (error) {
  if (!(error instanceof AppError)) throw error
  post({ error: toWire(error) })
}
