import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { toWire } from '@parquetry/model/errors'
import { describe } from './describe.ts'
import { sqliteError } from './errors.ts'
import type { ChildResponse, ChildRequest } from './protocol.ts'
import { SqliteReader } from './reader.ts'

/**
 * The process in which one session reads its file. It is killed when the session is stopped, and ends with its parent, which
 * passes its process id because it may exit before this line runs.
 */
const watch = `
  setInterval(() => process.ppid === ${Number(process.argv[2])} || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watch, { eval: true }).unref()

let reader: SqliteReader | null = null
let text: string | null = null

function answer(question: ChildRequest): ChildResponse {
  if (question.ask === 'open') {
    reader = new SqliteReader(question.file)
    return { done: true }
  }
  if (!reader) throw new Error('no file is open')
  if (question.ask === 'begin') {
    text = question.text
    reader.begin(text, question.values, question.limits)
    return { done: true }
  }
  if (question.ask === 'next') return { frame: reader.next(question.rows) }
  if (question.ask === 'describe') {
    text = 'sql' in question.what ? question.what.sql : null
    return { described: describe(reader, question.what) }
  }
  reader.drop()
  return { done: true }
}

process.on('message', (question: ChildRequest) => {
  try {
    process.send?.(answer(question))
  } catch (error) {
    process.send?.({ error: toWire(sqliteError(error, text)) } satisfies ChildResponse)
  }
  // Node.js writes its compile cache when a process exits, but this process is killed.
  if (question.ask === 'open') setImmediate(flushCompileCache)
})
process.on('disconnect', () => process.exit())
