import { randomUUID } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './settings/start-error.ts'
import { isDiskFull } from './store/failure.ts'

export const fullDisk = (home: string, cause: unknown): StartError =>
  new StartError(
    'home',
    `The disk of the home folder ${home} is full. Free some space, or choose another folder with PARQUETRY_HOME.`,
    { cause },
  )

/** Creates the data folder with owner-only permissions. @throws StartError exit code 4 */
export function openHome(home: string): void {
  process.umask(0o077)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    chmodSync(home, 0o700)
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const folder of ['data', 'results', 'backups']) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 })
  } catch (cause) {
    if (isDiskFull(cause)) throw fullDisk(home, cause)
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new StartError(
      'home',
      `The home folder ${home} is not writable (${reason}). Choose another one with PARQUETRY_HOME.`,
      { cause },
    )
  }
}

/** ID of this server among the servers that share the store. Created at the first start. */
export function ensureServerId(home: string): string {
  const path = join(home, 'server-id')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const id = randomUUID()
  writeFileSync(path, `${id}\n`, { mode: 0o600 })
  return id
}

/**
 * Locks the home, so that only one server uses it. The lock is a transaction that the kernel ends with the process, even after a
 * crash; the pid file is only for the error message.
 * @returns a function that releases the lock
 * @throws StartError exit code 4 if another server holds it
 */
export async function lockHome(home: string): Promise<() => void> {
  const { default: Database } = await import('better-sqlite3')
  const pidFile = join(home, 'lock.pid')
  let lock: InstanceType<typeof Database> | undefined
  try {
    lock = new Database(join(home, 'lock.db'), { timeout: 0 })
    lock.exec('begin exclusive')
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (cause) {
    lock?.close()
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY')
      throw isDiskFull(cause)
        ? fullDisk(home, cause)
        : new StartError('home', `The home folder ${home} could not be locked.`, { cause })
    let pid = ''
    try {
      pid = readFileSync(pidFile, 'utf8').trim()
    } catch {
      // The other server has not written it yet.
    }
    throw new StartError(
      'home',
      `Another Parquetry server${pid && ` (pid ${pid})`} is using the home folder ${home}. Stop it, or choose another home folder with PARQUETRY_HOME.`,
    )
  }
  const lockDatabase = lock
  return () => {
    rmSync(pidFile, { force: true })
    lockDatabase.close()
  }
}
