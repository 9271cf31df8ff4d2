import { ApiError } from '@parquetry/client'
import type { ImportSecretField } from '@parquetry/model'
import { messageOf } from '../shared/errors.ts'

/** Why nothing was imported. */
export interface ImportFailure {
  message: string
  /** Reasons by file. */
  files: { path: string; reasons: string[] }[]
  /** The file is not to blame: the same call may succeed later. */
  isTransient: boolean
  /** An object exists that did not exist, or was not to be replaced. */
  isConflict: boolean
  /** Secrets that the server asks for. */
  secrets: { path: string; field: ImportSecretField }[]
}

/** The API identifies the missing secret only by these messages. */
const secretByMessage: Record<string, ImportSecretField> = {
  'Must provide a password for the database': 'passwords',
  'Must provide a password for the ssh tunnel': 'ssh_tunnel_passwords',
  'Must provide a private key for the ssh tunnel': 'ssh_tunnel_private_keys',
  'Must provide a private key password for the ssh tunnel': 'ssh_tunnel_private_key_passwords',
}

/** The API identifies existing objects only by this end of the message. */
const existsMessage = 'already exists and `overwrite=true` was not passed'

/** Sentences of a problem, each with its field. */
function textsIn(value: unknown, field = ''): string[] {
  if (typeof value === 'string') return [field === '' ? value : `${field}: ${value}`]
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, field))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, name === '_schema' ? '' : name))
}

const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** Reads why an import was refused. */
export function parseFailure(error: unknown): ImportFailure {
  const failure: ImportFailure = {
    message: messageOf(error),
    files: [],
    secrets: [],
    isTransient: isTransient(error),
    isConflict: false,
  }
  const extra = error instanceof ApiError ? error.errors[0]?.extra : null
  for (const [path, problem] of Object.entries(extra ?? {})) {
    if (!/\.(?:ya?ml|json)$/.test(path)) continue
    const texts = textsIn(problem)
    const fields = texts.flatMap((text) => secretByMessage[text] ?? [])
    failure.secrets.push(...fields.map((field) => ({ path, field })))
    const reasons = texts.filter((text) => !(text in secretByMessage))
    failure.isConflict ||= reasons.some((reason) => reason.endsWith(existsMessage))
    if (reasons.length > 0) failure.files.push({ path, reasons })
  }
  return failure
}
