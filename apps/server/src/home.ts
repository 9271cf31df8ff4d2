import { randomUUID } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './settings/start-error.ts'

/** Makes the data folder and keeps others out of it. @throws StartError exit code 4 */
export function openHome(home: string): void {
  process.umask(0o077)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    chmodSync(home, 0o700)
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const folder of ['data', 'results', 'backups']) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new StartError(
      'home',
      `The home folder ${home} cannot be written (${reason}). Choose another one with PARQUETRY_HOME.`,
      { cause },
    )
  }
}

/** Who the server of this home is among those of its store: made at the first start, the same ever after. */
export function serverIdOf(home: string): string {
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
 * Takes the home for this process: one server per home. The lock is a transaction that the kernel ends with the process, however
 * that ends; the pid beside it is only for the message.
 * @returns lets the home go
 * @throws StartError exit code 4 when another server has it
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
      throw new StartError('home', `The home folder ${home} cannot be locked.`, { cause })
    let pid = ''
    try {
      pid = readFileSync(pidFile, 'utf8').trim()
    } catch {
      // the other server has not written it yet; the sentence does without
    }
    throw new StartError(
      'home',
      `Another Parquetry server${pid && ` (pid ${pid})`} uses the home folder ${home}. Stop it, or choose another one with PARQUETRY_HOME.`,
    )
  }
  const held = lock
  return () => {
    rmSync(pidFile, { force: true })
    held.close()
  }
}
