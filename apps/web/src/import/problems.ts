import { ApiError } from '@parquetry/client'
import { messageOf } from '../shared/errors.ts'

/** Form fields of an import that map a database file's path to a secret, in the order of the dialog. */
export const secretFields = [
  'passwords',
  'ssh_tunnel_passwords',
  'ssh_tunnel_private_keys',
  'ssh_tunnel_private_key_passwords',
] as const
export type SecretField = (typeof secretFields)[number]

/** The API identifies the missing secret only by these messages. */
const secretByMessage: Record<string, SecretField> = {
  'Must provide a password for the database': 'passwords',
  'Must provide a password for the ssh tunnel': 'ssh_tunnel_passwords',
  'Must provide a private key for the ssh tunnel': 'ssh_tunnel_private_keys',
  'Must provide a private key password for the ssh tunnel': 'ssh_tunnel_private_key_passwords',
}

export interface ImportProblems {
  secrets: { path: string; field: SecretField }[]
  /** Paths of objects that already exist. */
  exists: string[]
  /** Errors that the user cannot resolve in the dialog. */
  others: { path: string | null; message: string }[]
}

/** `databases/My_lab.yaml` -> `My_lab`. The id at the end of theme files (`themes/Forest_3.yaml`) is removed. */
export function baseNameOf(path: string): string {
  const name = (path.split('/').at(-1) ?? path).replace(/\.ya?ml$/, '')
  return path.startsWith('themes/') ? name.replace(/_\d+$/, '') : name
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Reads why a bundle was refused. */
export function parseImportProblems(error: unknown): ImportProblems {
  const problems: ImportProblems = { secrets: [], exists: [], others: [] }
  const extra = error instanceof ApiError ? error.errors[0]?.extra : null
  for (const [path, problem] of Object.entries(extra ?? {})) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const message of textsIn(problem)) {
      const field = secretByMessage[message]
      if (field) problems.secrets.push({ path, field })
      else if (message.includes('already exists and `overwrite=true`')) problems.exists.push(path)
      else problems.others.push({ path, message })
    }
  }
  if (Object.values(problems).every(({ length }) => length === 0))
    problems.others.push({ path: null, message: messageOf(error) })
  return problems
}
