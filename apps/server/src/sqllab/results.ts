import { AppError } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sourceOf } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import { queryAccess } from '../security/access.ts'
import type { Settings } from '../settings.ts'
import { judge } from './judge.ts'

const keptMs = 24 * 3_600_000
const largestBytes = 16 << 20
const largestTotalBytes = 1 << 30
/** The folder is looked at after each so many bytes; housekeeping does so once an hour. */
const lookAfterBytes = 128 << 20
const keptSinceLook = new WeakMap<Settings, number>()
const keyForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const folderOf = ({ settings }: Pick<Deps, 'settings'>): string => join(settings.home, 'results')

export const newResultsKey = (body: Buffer): string | null => (body.length > largestBytes ? null : randomUUID())

/**
 * Keeps an answer as it was sent, whole or not at all.
 * @returns false when the disk does not take it: the run has succeeded all the same
 */
export async function keepResult(
  deps: Pick<Deps, 'settings' | 'log' | 'now'>,
  key: string,
  answer: Buffer,
): Promise<boolean> {
  const path = join(folderOf(deps), `${key}.json`)
  try {
    await mkdir(folderOf(deps), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.part`, answer, { mode: 0o600 })
    await rename(`${path}.part`, path)
    const kept = (keptSinceLook.get(deps.settings) ?? 0) + answer.length
    keptSinceLook.set(deps.settings, kept > lookAfterBytes ? 0 : kept)
    if (kept > lookAfterBytes) await removeOldResults(deps)
    return true
  } catch (error) {
    deps.log.error({ err: error }, 'a result could not be kept')
    return false
  }
}

/** Takes away what nobody can ask for any more, and of the rest the oldest until it fits. */
export async function removeOldResults(
  deps: Pick<Deps, 'settings' | 'now'>,
  totalBytes = largestTotalBytes,
): Promise<void> {
  const oldest = deps.now().getTime() - keptMs
  const names = await readdir(folderOf(deps)).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [] // nothing was ever kept
    throw error
  })
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folderOf(deps), name)
      const found = await stat(path).catch(() => undefined) // another call was quicker
      return found ? [{ path, mtimeMs: found.mtimeMs, size: found.size }] : []
    }),
  )
  let total = 0
  for (const { path, mtimeMs, size } of files.flat().toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size
    if (mtimeMs < oldest || total > totalBytes) await rm(path, { force: true })
  }
}

const gone = (cause?: unknown): AppError =>
  new AppError('gone', {
    message: 'Data could not be retrieved from the results backend. You need to re-run the original query.',
    cause,
  })

/**
 * The kept answer of a run, for who may still read all that it read.
 * @throws AppError `gone` for a key that is over, unknown or of somebody else's run; what `judge` refuses today
 */
export async function readResult(
  deps: Deps,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
  key: string,
): Promise<Buffer> {
  if (!keyForm.test(key)) throw gone()
  let ask = deps.db.selectFrom('query').selectAll().where('results_key', '=', key)
  const mine = queryAccess(principal)
  if (mine) ask = ask.where(mine)
  const query = await ask.executeTakeFirst()
  const database =
    query && (await deps.db.selectFrom('database').selectAll().where('id', '=', query.database_id).executeTakeFirst())
  if (!query || !database) throw gone()
  const inspection = await deps.runners.inspect(query.sql, await sourceOf(deps, database, query.schema), signal)
  const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
  await judge(inspection, database, access, query.schema)
  const path = join(folderOf(deps), `${key}.json`)
  try {
    if ((await stat(path)).mtimeMs < deps.now().getTime() - keptMs) throw gone()
    return await readFile(path)
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw gone(error)
  }
}

/** The first rows of a kept answer. */
export function cut(answer: Buffer, rows: number): Buffer {
  const document = JSON.parse(answer.toString('utf8')) as { data: unknown[] }
  if (document.data.length <= rows) return answer
  return Buffer.from(JSON.stringify({ ...document, data: document.data.slice(0, rows), displayLimitReached: true }))
}
