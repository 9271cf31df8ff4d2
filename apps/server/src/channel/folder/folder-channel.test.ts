import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { attempt, createFile } from '../outgoing.testing.ts'
import { createFolderChannel } from './folder-channel.ts'

let base: string
let root: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'parquetry-folder-'))
  root = join(base, 'root')
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true }))

const create = (at = '2026-11-30T12:34:56Z') => createFolderChannel({ reportsFolder: root }, () => new Date(at))
const csv = createFile('any.CSV', 'text/csv', 'a,b')
const source = {
  name: 'Sales: "A/B" ../x\n',
  description: '',
  type: 'Report',
  format: 'CSV',
  chart_id: 1,
  dashboard_id: null,
} as const

it('REPORT folders get one file per message, with a name of our own', async () => {
  expect(await attempt(create(), 'sales/weekly', { files: [csv], source })).toBe('sent')
  expect(await attempt(create('2026-11-30T12:40:00Z'), 'sales/weekly/', { files: [csv], source })).toBe('sent')
  expect(readdirSync(join(root, 'sales/weekly'))).toEqual(['Sales_ _A_B_ .._x_ 2026-11-30 12.34 0c5a1b9e6a5e.csv'])
  expect(readFileSync(join(root, 'sales/weekly/Sales_ _A_B_ .._x_ 2026-11-30 12.34 0c5a1b9e6a5e.csv'), 'utf8')).toBe(
    'a,b',
  )
  expect(await attempt(create(), '', { id: 'ffffffff-ffff-4fff-8fff-ffffffffffff', files: [csv, csv] })).toBe('sent')
  expect(await attempt(create(), '', { id: 'eeeeeeee-ffff-4fff-8fff-ffffffffffff', text: 'no file' })).toBe('sent')
  expect(readdirSync(root).toSorted()).toEqual([
    'Sales 2026-11-30 12.34 eeeeeeeeffff.txt',
    'Sales 2026-11-30 12.34 ffffffffffff 2.csv',
    'Sales 2026-11-30 12.34 ffffffffffff.csv',
    'sales',
  ])
})

it('no target leads out of the root, neither by its name nor by a link', async () => {
  for (const target of [
    '..',
    'a/../..',
    '/etc',
    'a//b',
    '.hidden',
    'a/.b',
    'a\\..\\b',
    'a\0b',
    'a\nb',
    `${'a/'.repeat(9)}b`,
    'a'.repeat(101),
  ]) {
    expect(() => create().checkTarget({ target })).toThrow('Enter the name of a folder')
    expect(await attempt(create(), target, { files: [csv] })).toMatchObject({ code: 'invalid_payload' })
  }
  mkdirSync(join(base, 'outside'))
  symlinkSync(join(base, 'outside'), join(root, 'link'))
  writeFileSync(join(root, 'file'), '')
  for (const target of ['link', 'link/deeper', 'file'])
    expect(await attempt(create(), target, { files: [csv] })).toMatchObject({ outcome: 'refused' })
  expect(readdirSync(join(base, 'outside'))).toEqual([])
})

it('says what is missing, leaves no partial file, and never follows a link in place of one', async () => {
  expect(createFolderChannel({ reportsFolder: null }).missingSettings()).toEqual(['PARQUETRY_REPORTS_FOLDER'])
  const gone = createFolderChannel({ reportsFolder: join(base, 'gone') })
  expect(await attempt(gone, 'x', { files: [csv] })).toMatchObject({
    outcome: 'unavailable',
    message: expect.stringContaining('does not exist'),
  })
  // The name of the partial file is taken by a link to a file elsewhere.
  const name = 'Sales 2026-11-30 12.34 0c5a1b9e6a5e.csv'
  writeFileSync(join(base, 'victim'), 'untouched')
  symlinkSync(join(base, 'victim'), join(root, `.${name}.part`))
  expect(await attempt(create(), '', { files: [csv] })).toBe('sent')
  expect(readFileSync(join(base, 'victim'), 'utf8')).toBe('untouched')
  expect(existsSync(join(root, `.${name}.part`))).toBe(false)
})
