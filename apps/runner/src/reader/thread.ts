import type { ReaderTask } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from './run-reader-task.ts'

const { task, body } = workerData as { task: ReaderTask; body: Uint8Array }

async function* produceBytes(): AsyncGenerator<string | Uint8Array> {
  if (task.what === 'sql') return yield (await import('@parquetry/sql')).formatSql(task.sql, task.dialect)
  const { toBundle, parseEntry, serializeArchive, writeArchive } = await import('@parquetry/bundle')
  if (task.what === 'bundle') return yield* serializeArchive(task.path)
  const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n')
  yield await writeArchive(toBundle(lines.map(parseEntry)), task.root)
}

const post = (message: ThreadMessage): void => parentPort?.postMessage(message)

try {
  for await (const chunk of produceBytes()) post({ bytes: Buffer.from(chunk) })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  post({ error: toWire(error) })
}
