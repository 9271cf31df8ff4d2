import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { Engine } from '@parquetry/engines'
import { AppError } from '@parquetry/model'
import { unsafeEngineMessage } from './connection.ts'
import type { ConnectionDeps } from './deps.ts'
import { noSuchFile, realPathBelow } from './server-files.ts'

type Settings = Record<string, unknown>

/**
 * Returns settings for a runner. For engines that read a local file they identify the checked file by device and inode, so that
 * no other one is opened under its name. The file must be below PARQUETRY_FILES, outside our own folder with the metadata store,
 * and have only one name, because another could be one of the store's.
 * @throws AppError `unprocessable` for a file that may not be read; `unsupported` while PREVENT_UNSAFE_DB_CONNECTIONS is on
 */
export function toRunnerSettings(
  { settings: { files, home, config } }: Pick<ConnectionDeps, 'settings'>,
  engine: Engine,
  settings: Settings,
): Settings {
  if (!engine.isFileBased) return settings
  if (config.PREVENT_UNSAFE_DB_CONNECTIONS)
    throw new AppError('unsupported', { message: unsafeEngineMessage(engine.title) })
  const path = realPathBelow(String(settings['path']), files)
  const { dev, ino, nlink } = statSync(path)
  const relativePath = relative(realpathSync(home), path)
  if (nlink !== 1 || (!relativePath.startsWith('..') && !isAbsolute(relativePath))) throw noSuchFile()
  return { ...settings, file: { path, dev, ino } }
}
