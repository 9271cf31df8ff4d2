import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openKeys } from './keys.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-keys-'))
  path = join(folder, 'keys.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('creates keys once, readable only by their owner, one for each purpose', () => {
  const keys = openKeys(path, true)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const all = [keys.session, keys.access.current.key, keys.guest.current.key].map((key) => key.export().toString('hex'))
  expect(new Set(all).size).toBe(3)
  expect(all.every((key) => key.length === 64)).toBe(true)
  expect(openKeys(path, true).session.equals(keys.session)).toBe(true)
})

it('binds a secret to its object', () => {
  const keys = openKeys(path, true)
  const sealed = keys.encrypt('pässword', 'database a')
  expect(sealed).not.toContain('pässword')
  expect(keys.encrypt('pässword', 'database a')).not.toBe(sealed)
  expect(keys.decrypt(sealed, 'database a')).toBe('pässword')
  expect(() => keys.decrypt(sealed, 'database b')).toThrow()
  expect(() => keys.decrypt(`${sealed.slice(0, -2)}AA`, 'database a')).toThrow()
})

it('decrypts old secrets after a new key was added in front', () => {
  const sealed = openKeys(path, true).encrypt('x', 'a')
  const file = JSON.parse(readFileSync(path, 'utf8')) as { secrets: object[] }
  file.secrets.unshift({ id: 'new', key: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64url') })
  writeFileSync(path, JSON.stringify(file))
  const keys = openKeys(path, true)
  expect(keys.decrypt(sealed, 'a')).toBe('x')
  expect(keys.encrypt('x', 'a')).toMatch(/^v1\.new\./)
})

it('refuses keys that are weak, readable by others or missing', () => {
  openKeys(path, true)
  chmodSync(path, 0o644)
  expect(() => openKeys(path, true)).toThrow(/can be read by other users/)
  chmodSync(path, 0o600)
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  for (const key of ['c2VjcmV0', Buffer.alloc(32).toString('base64url')]) {
    writeFileSync(path, JSON.stringify({ ...file, access: [{ id: 'a', key }] }))
    expect(() => openKeys(path, true)).toThrow(/too weak/)
  }
  expect(() => openKeys(join(folder, 'none.json'), false)).toThrow(/does not exist/)
})
