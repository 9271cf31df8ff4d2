import type { ReaderTask } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from './run-reader-task.ts'

const { task, body } = workerData as { task: ReaderTask; body: Uint8Array }

const post = (message: ThreadMessage): void => parentPort?.postMessage(message)

async function* produceBytes(): AsyncGenerator<string | Uint8Array> {
  if (task.what === 'sql') return yield (await import('@parquetry/sql')).formatSql(task.sql, task.dialect)
  if (task.what === 'bundle') return yield* unpack(task)
  const { findLine, toBundle, parseEntry, readArchivedText, writeArchive } = await import('@parquetry/bundle')
  if (task.what === 'line') {
    const text = await readArchivedText(task.path, task.file)
    return yield String((text !== undefined && findLine(text, task.keys)) || '')
  }
  const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n')
  yield await writeArchive(toBundle(lines.map(parseEntry)), task.root)
}

async function* unpack({ path, output, limits }: Extract<ReaderTask, { what: 'bundle' }>): AsyncGenerator<string> {
  const { unpackArchive } = await import('@parquetry/bundle')
  let total: number | undefined
  const onStart = ({ documents, unpackedBytes }: { documents: number; unpackedBytes: number }): void => {
    total = documents
    post({ unpackedBytes })
  }
  for await (const entry of unpackArchive(path, output, { limits, onStart })) {
    if (total !== undefined) yield `${total}\n`
    total = undefined
    yield `${JSON.stringify(entry)}\n`
  }
}

try {
  for await (const chunk of produceBytes()) post({ bytes: Buffer.from(chunk) })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  post({ error: toWire(error) })
}
