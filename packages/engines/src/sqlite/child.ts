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

function answer(request: ChildRequest): ChildResponse {
  if (request.ask === 'open') {
    reader = new SqliteReader(request.file)
    return { done: true }
  }
  if (!reader) throw new Error('no file is open')
  if (request.ask === 'begin') {
    text = request.text
    reader.begin(text, request.values, request.limits)
    return { done: true }
  }
  if (request.ask === 'next') return { frame: reader.next(request.rows) }
  if (request.ask === 'describe') {
    text = 'sql' in request.what ? request.what.sql : null
    return { described: describe(reader, request.what) }
  }
  reader.drop()
  return { done: true }
}

process.on('message', (request: ChildRequest) => {
  try {
    process.send?.(answer(request))
  } catch (error) {
    process.send?.({ error: toWire(sqliteError(error, text)) } satisfies ChildResponse)
  }
  // Node.js writes its compile cache when a process exits, but this process is killed.
  if (request.ask === 'open') setImmediate(flushCompileCache)
})
process.on('disconnect', () => process.exit())
