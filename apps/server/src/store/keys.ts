import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { StartError } from '../settings/start-error.ts'

const purposes = ['session', 'access', 'guest', 'secrets'] as const
type Purpose = (typeof purposes)[number]
type KeyFile = Record<Purpose, { id: string; key: string }[]>

/** The keys of one purpose: the first one signs or encrypts, all are accepted, so that keys can be rotated. */
export interface KeyRing {
  current: { id: string; key: KeyObject }
  /** The key with this id; undefined if it is not in this ring. */
  find(id: string): KeyObject | undefined
  /** True for a key of this ring. */
  has(key: KeyObject): boolean
}

/** The server's secrets: 256-bit keys, one or more per purpose, in a file that only its owner can read. */
export interface Keys {
  /** Signs the CSRF tokens that belong to a session cookie. */
  session: KeyObject
  /** Signs access and refresh tokens. */
  access: KeyRing
  guest: KeyRing
  /** Encrypts a stored secret. It can be decrypted only with the same `boundTo` (the uuid of the object it belongs to). */
  encrypt(text: string, boundTo: string): string
  /** @throws Error when the text was changed, belongs to another object, or its key is missing */
  decrypt(text: string, boundTo: string): string
}

const keyBytes = 32
const newKey = () => ({ id: randomBytes(6).toString('hex'), key: randomBytes(keyBytes).toString('base64url') })

/** Keys for the lifetime of the process, for tests. */
export const temporaryKeys = (): Keys =>
  parseKeys(Object.fromEntries(purposes.map((purpose) => [purpose, [newKey()]])) as KeyFile, 'memory')

/**
 * Reads the key file; creates it at the first start.
 * @param canCreate  false for a file that the operator names, since operators create keys that several servers share, and for a
 * store with secrets, which new keys could not decrypt
 * @throws StartError exit code 4 when the file cannot be read or others can read it, 2 when its keys are too weak
 */
export function openKeys(path: string, canCreate: boolean): Keys {
  if (!existsSync(path)) {
    if (!canCreate)
      throw new StartError(
        'setting',
        `The key file ${path} does not exist. Restore it from a backup: without it, stored passwords of connections cannot be read. PARQUETRY_KEYS_FILE names another place.`,
      )
    create(path)
  }
  let file: KeyFile
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new StartError(
        'home',
        `The key file ${path} can be read by other users. Allow access to its owner only: chmod 600 ${path}`,
      )
    file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError('home', `The key file ${path} could not be read.`, { cause })
  }
  return parseKeys(file, path)
}

function create(path: string): void {
  const file = Object.fromEntries(purposes.map((purpose) => [purpose, [newKey()]]))
  try {
    const handle = openSync(path, 'wx', 0o600)
    writeSync(handle, `${JSON.stringify(file, null, 2)}\n`)
    fsyncSync(handle)
    closeSync(handle)
    chmodSync(path, 0o600)
  } catch (cause) {
    throw new StartError('home', `The key file ${path} could not be written.`, { cause })
  }
}

function parseKeys(file: KeyFile, path: string): Keys {
  const ring = (purpose: Purpose): KeyRing => {
    const keys = new Map<string, KeyObject>()
    for (const { id, key } of Array.isArray(file[purpose]) ? file[purpose] : []) {
      const bytes = Buffer.from(key, 'base64url')
      if (bytes.length < keyBytes || new Set(bytes).size < 8)
        throw new StartError(
          'setting',
          `The ${purpose} key in ${path} is too weak: it must be ${keyBytes} random bytes.`,
        )
      keys.set(id, createSecretKey(bytes))
    }
    const [first] = keys
    if (!first) throw new StartError('setting', `There is no ${purpose} key in ${path}.`)
    return {
      current: { id: first[0], key: first[1] },
      find: (id) => keys.get(id),
      has: (key) => [...keys.values()].includes(key),
    }
  }
  const secrets = ring('secrets')
  return {
    session: ring('session').current.key,
    access: ring('access'),
    guest: ring('guest'),
    encrypt(text, boundTo) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secrets.current.key, iv).setAAD(Buffer.from(boundTo))
      const encrypted = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${secrets.current.id}.${encrypted.toString('base64url')}`
    },
    decrypt(text, boundTo) {
      const [version, id = '', body = ''] = text.split('.')
      const key = secrets.find(id)
      if (version !== 'v1' || !key) throw new Error('the key of this secret is not in the key file')
      const encrypted = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(encrypted.subarray(-16))
      return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}
