import { AppError, type ExecuteAnswer } from '@parquetry/model'
import { open, readFile } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import type { KeptResult } from '../jobs/result-store.ts'
import { gather } from '../runners/gather.ts'
import { queryAccess } from '../security/access.ts'
import { cutRows } from './cut-rows.ts'
import { withRows } from './execute.ts'
import { readAgain } from './read-again.ts'

const gone = (cause?: unknown): AppError =>
  new AppError('gone', {
    message: 'Data could not be retrieved from the results backend. You need to re-run the original query.',
    cause,
  })

export interface Caller {
  principal: Principal
  signal: AbortSignal
}

/**
 * The kept result of a run, for who may still read all that it read.
 * @throws AppError `gone` for a key that is over, unknown or of somebody else's run; what `judge` refuses today
 */
export async function findResult(deps: Deps, caller: Caller, key: string): Promise<KeptResult> {
  let ask = deps.db.selectFrom('query').selectAll().where('results_key', '=', key)
  const mine = queryAccess(caller.principal)
  if (mine) ask = ask.where(mine)
  const query = await ask.executeTakeFirst()
  const database =
    query && (await deps.db.selectFrom('database').selectAll().where('id', '=', query.database_id).executeTakeFirst())
  const kept = query && (await deps.results.find(key))
  if (!query || !database || !kept) throw gone()
  await readAgain(deps, caller, query, database, query.sql)
  return kept
}

/**
 * A kept result as the API's JSON, its first rows.
 * @param most rows; when there are more, `displayLimitReached` says so
 */
export async function resultJson(deps: Deps, { signal }: Caller, kept: KeptResult, most: number): Promise<Buffer> {
  try {
    if (kept.form === 'json') return cutAnswer(await readFile(kept.path), most)
    const answer = await headOfFile(kept.path)
    const { chunks } = await deps.runners.encode(kept.path, { as: 'rows', times: 'iso' }, most, signal)
    const rows = Buffer.concat(await gather(chunks))
    return answerJson(answer, rows.length === 0 ? Buffer.from('[]') : rows, (answer.query.rows ?? 0) > most)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw gone(error)
  }
}

const answerJson = (answer: ExecuteAnswer, rows: Buffer, isCut: boolean): Buffer =>
  Buffer.concat(withRows({ ...answer, ...(isCut && { displayLimitReached: true }) }, rows))

/** The answer of a run with at most so many rows. */
export function shown(answer: ExecuteAnswer, rows: Buffer, most: number): Buffer {
  const isLonger = (answer.query.rows ?? 0) > most
  return isLonger ? answerJson(answer, cutRows(rows, most), true) : answerJson(answer, rows, false)
}

const dataKey = Buffer.from(',"data":')

/** A quote inside of a text is escaped, so the first place that reads like the key is the key. */
function cutAnswer(kept: Buffer, most: number): Buffer {
  const at = kept.indexOf(dataKey)
  const answer = JSON.parse(`${kept.subarray(0, at).toString('utf8')}}`) as ExecuteAnswer
  if ((answer.query.rows ?? 0) <= most) return kept
  return shown(answer, kept.subarray(at + dataKey.length, -1), most)
}

/** The first message of a file of frame messages: a length and JSON. */
async function headOfFile(path: string): Promise<ExecuteAnswer> {
  const file = await open(path)
  try {
    const length = Buffer.alloc(4)
    await file.read(length, 0, 4, 0)
    const head = Buffer.alloc(length.readUInt32LE())
    await file.read(head, 0, head.length, 4)
    return (JSON.parse(head.toString('utf8')) as { answer: ExecuteAnswer }).answer
  } finally {
    await file.close()
  }
}
