import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BundleSource, openFolder } from '@parquetry/bundle'
import {
  AppError,
  type Difference,
  type ImportedObject,
  type ImportSummary,
  importSecretFields,
} from '@parquetry/model'
import { type FolderSecrets, FolderSession } from '@parquetry/server/bundle/folder-session'
import { UsageError } from './command.ts'
import { findAdmin } from './find-admin.ts'
import { withCurrentStore } from './with-store.ts'

/** A bundle cannot be imported. The message is printed and the exit code is 1. */
export class BundleError extends Error {
  readonly exitCode = 1
}

export interface FolderCall {
  folder: string
  session: FolderSession
  prune: boolean
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Parses the arguments of a command for a folder and opens the store. With `--help` it only prints the help. */
export async function withFolder(
  args: string[],
  { name, help, prunes }: { name: string; help: string; prunes: boolean },
  run: (call: FolderCall) => Promise<void>,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      user: { type: 'string' },
      ...(prunes && { prune: { type: 'boolean' } }),
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  if (values.help) return print(help.trimEnd())
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError(`${name} requires one folder.\n\n${help}`)
  await withCurrentStore(async (store, settings) => {
    const admin = await findAdmin(store, values.user as string | undefined)
    const session = new FolderSession(store, settings, admin)
    await run({ folder: resolve(folder), session, prune: (values as { prune?: boolean }).prune === true })
  })
}

/**
 * Opens the folder of a bundle.
 * @throws UsageError when the path is not a folder, or `--prune` is given and the bundle does not contain everything; BundleError
 * when the folder is not a bundle or cannot be read
 */
export async function openBundle({ folder, prune }: FolderCall): Promise<BundleSource> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${folder} is not a folder.`)
  const source = await explainFiles(() => openFolder(folder))
  if (prune && source.metadata.type !== 'assets')
    throw new UsageError(
      `--prune needs a bundle of everything (type: assets), not one of type ${source.metadata.type}.`,
    )
  return { ...source, read: (path) => withPlainErrors(() => source.read(path)) }
}

/** Turns problems of the disk and of permissions into a message. @throws BundleError */
async function withPlainErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new BundleError(`The folder cannot be read or written: ${message}`, { cause: error })
  }
}

/** Reads or writes the folder of a bundle. @throws BundleError with what is wrong with its files */
export const explainFiles = <T>(run: () => Promise<T>): Promise<T> => explain(() => withPlainErrors(run))

/** Runs an import and turns its problems into a message. @throws BundleError */
export async function explain<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const lines = Object.entries(error.details).map(([path, problem]) => `  ${path}: ${toText(problem)}`)
    throw new BundleError([`${error.message}${lines.length > 0 ? ':' : ''}`, ...lines].join('\n'), { cause: error })
  }
}

const toText = (problem: unknown): string => {
  if (typeof problem === 'string') return problem
  if (Array.isArray(problem)) return problem.map(toText).join(' ')
  return Object.entries((problem ?? {}) as object)
    .map(([field, each]) => (field === '_schema' ? toText(each) : `${field}: ${toText(each)}`))
    .join(' ')
}

/** Reads passwords and keys from the environment or a file, because other users of the machine can see arguments. */
export function readSecrets(env: Record<string, string | undefined> = process.env): FolderSecrets {
  const { PARQUETRY_IMPORT_SECRETS: text, PARQUETRY_IMPORT_SECRETS_FILE: path } = env
  if (!text && !path) return {}
  const source = text ? 'PARQUETRY_IMPORT_SECRETS' : 'PARQUETRY_IMPORT_SECRETS_FILE'
  let secrets: unknown
  try {
    secrets = JSON.parse(text || readFileSync(path!, 'utf8'))
  } catch {
    // The error of the parser quotes the text.
    throw new UsageError(`${source} cannot be read as JSON.`)
  }
  const isTexts = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
  const entries = Object.entries((secrets ?? {}) as object)
  const wrong = entries.find(
    ([name, value]) => !(importSecretFields as readonly string[]).includes(name) || !isTexts(value),
  )
  if (wrong)
    throw new UsageError(
      `${source}: ${wrong[0]} is wrong. Use ${importSecretFields.join(', ')} with texts by the path of a file.`,
    )
  return Object.fromEntries(entries) as FolderSecrets
}

const marks: Record<ImportedObject['state'], string | undefined> = {
  new: '+',
  changed: '~',
  same: undefined,
  kept: undefined,
  left_out: '!',
}

/** Describes the objects that an import changes, line by line. */
export function describeObjects({ objects }: ImportSummary): string[] {
  return objects.flatMap((object) => {
    const mark = marks[object.state]
    if (mark === undefined) return []
    return [
      `${mark} ${object.path} (${object.kind.replaceAll('_', ' ')} "${object.name}")`,
      ...(object.differences ?? []).map((difference) => `    ${describeDifference(difference)}`),
      ...(object.notes ?? []).map((note) => `    ${note}`),
    ]
  })
}

const signs = { added: '+', removed: '-', changed: '~', moved: '~' } as const

function describeDifference({ of, how, what, name, before, after }: Difference): string {
  const subject = `${signs[how]} ${of === 'field' ? what : `${of} ${name ?? what}`}`
  if (how === 'moved') return `${subject}: moved`
  const values = [before, after].filter((value) => value !== undefined).map((value) => JSON.stringify(value))
  return values.length > 0 ? `${subject}: ${values.join(' → ')}` : subject
}

const words: Record<ImportedObject['state'], string> = {
  new: 'new',
  changed: 'changed',
  same: 'the same',
  kept: 'kept',
  left_out: 'left out',
}

/** `3 new, 1 changed, 10 the same` */
export const countStates = ({ objects }: ImportSummary): string =>
  (Object.keys(words) as ImportedObject['state'][])
    .map((state) => [objects.filter((object) => object.state === state).length, words[state]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ') || 'no objects'

/** Refuses objects that have problems or lack a secret. @throws BundleError */
export function refuseProblems({ objects }: ImportSummary): void {
  const lines = objects.flatMap(({ path, problems = [], secrets = [] }) => [
    ...problems.map((problem) => `  ${path}: ${problem}`),
    ...secrets.map((field) => `  ${path}: a secret is missing, ${field} (PARQUETRY_IMPORT_SECRETS)`),
  ])
  if (lines.length > 0) throw new BundleError(['The bundle cannot be imported:', ...lines].join('\n'))
}
