import type { ReaderTask } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread } from './read.ts'

const { task, body } = workerData as { task: ReaderTask; body: Uint8Array }

async function* bytesOf(): AsyncGenerator<string | Uint8Array> {
  if (task.what === 'sql') return yield (await import('@parquetry/sql')).formatSql(task.sql, task.dialect)
  const { bundleOf, documentOf, linesIn, writeArchive } = await import('@parquetry/bundle')
  if (task.what === 'bundle') return yield* linesIn(task.path)
  const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n')
  yield await writeArchive(bundleOf(lines.map(documentOf)), task.root)
}

const say = (message: FromThread): void => parentPort?.postMessage(message)

try {
  for await (const made of bytesOf()) say({ bytes: Buffer.from(made) })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  say({ error: toWire(error) })
}
