import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { message, type Message, type RecipientConfig } from '@parquetry/model'
import type { Settings } from '../../settings/settings.ts'
import { type Channel, ChannelError, type FailedOutcome, type OutgoingMessage } from '../channel.ts'
import { safeFileName } from '../file-name.ts'
import { invalidTarget } from '../target-error.ts'

const maxDepth = 8

/** Names of the folders below the root. @throws AppError for a path that could lead elsewhere */
function parsePath({ target }: RecipientConfig): string[] {
  const text = String(target ?? '').trim()
  const names = text === '' ? [] : text.replace(/\/$/, '').split('/')
  const isSafe = (name: string) =>
    name !== '' && !name.startsWith('.') && Buffer.byteLength(name) <= 100 && safeFileName(name) === name
  if (names.length > maxDepth || !names.every(isSafe))
    throw invalidTarget(
      message(
        'errors.channel.folder.path',
        'Enter the name of a folder such as sales/weekly. Names cannot start with a dot or contain special characters.',
      ),
    )
  return names
}

const failure = (outcome: FailedOutcome, sentence: Message, cause: unknown): ChannelError =>
  new ChannelError(outcome, { message: sentence, cause })

const notAllowed = (cause: unknown): ChannelError =>
  failure(
    'refused',
    message(
      'errors.channel.folder.denied',
      'The server may not write to this folder. An administrator can check PARQUETRY_REPORTS_FOLDER.',
    ),
    cause,
  )

/** By error code of the file system. */
const failures: Readonly<Record<string, (cause: unknown) => ChannelError>> = {
  ENOSPC: (cause) =>
    failure(
      'unavailable',
      message('errors.channel.folder.full', 'The disk of the folder for reports is full. Free some space there.'),
      cause,
    ),
  ENOENT: (cause) =>
    failure(
      'unavailable',
      message(
        'errors.channel.folder.missing',
        'The folder for reports does not exist. An administrator can check PARQUETRY_REPORTS_FOLDER.',
      ),
      cause,
    ),
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
}

/** Attempts may be repeated after any failure, because they replace the same files. */
function toChannelError(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  return (
    failures[code === 'EDQUOT' ? 'ENOSPC' : code]?.(error) ??
    failure('unavailable', message('errors.channel.folder.failed', 'The file could not be written.'), error)
  )
}

/** Creates the folders below the root that are missing. @throws ChannelError when one of them is a link */
async function openFolder(root: string, names: readonly string[]): Promise<string> {
  let path = await realpath(root)
  for (const name of names) {
    path = join(path, name)
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (!(await lstat(path)).isDirectory())
      throw failure(
        'refused',
        message('errors.channel.folder.notFolder', 'This name below the folder for reports is not a folder.'),
        undefined,
      )
  }
  return path
}

/** Writes a file that appears under its name when it is complete. */
async function writeFile(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const part = join(folder, `.${name}.part`)
  await rm(part, { force: true })
  try {
    const file = await open(part, 'wx', 0o640)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, join(folder, name))
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
}

/** The files of a message; one without files is a text or HTML file. */
function contentOf({ files, html, text }: OutgoingMessage): { extension: string; bytes: Uint8Array }[] {
  if (files.length === 0)
    return [
      html === null
        ? { extension: '.txt', bytes: Buffer.from(text) }
        : { extension: '.html', bytes: Buffer.from(`<!doctype html><meta charset="utf-8">${html}`) },
    ]
  return files.map(({ name, bytes }) => ({
    extension: (/\.[A-Za-z\d]{1,8}$/.exec(name) ?? ['.bin'])[0].toLowerCase(),
    bytes,
  }))
}

/** The end of a file name that the same message always gets. */
const suffixOf = ({ id }: OutgoingMessage, number: number, extension: string): string =>
  ` ${id.replaceAll(/[^\da-f]/gi, '').slice(0, 12)}${number === 0 ? '' : ` ${number + 1}`}${extension}`

/** Stores reports below the folder of PARQUETRY_REPORTS_FOLDER, named after the report and the time (UTC). */
export function createFolderChannel(
  { reportsFolder }: Pick<Settings, 'reportsFolder'>,
  now: () => Date = () => new Date(),
): Channel {
  return {
    type: 'Folder',
    missingSettings: () => (reportsFolder === null ? ['PARQUETRY_REPORTS_FOLDER'] : []),
    checkTarget: (target) => void parsePath(target),
    async send(target, outgoing, signal) {
      const names = parsePath(target)
      if (reportsFolder === null) throw notAllowed(undefined)
      try {
        const folder = await openFolder(reportsFolder, names)
        const existing = await readdir(folder)
        const time = now().toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')
        for (const [number, { extension, bytes }] of contentOf(outgoing).entries()) {
          const suffix = suffixOf(outgoing, number, extension)
          if (existing.some((name) => !name.startsWith('.') && name.endsWith(suffix))) continue
          signal.throwIfAborted()
          await writeFile(folder, `${safeFileName(outgoing.source.name)} ${time}${suffix}`, bytes)
        }
      } catch (error) {
        throw toChannelError(error)
      }
    },
  }
}
