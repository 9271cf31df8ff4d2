import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bundle, loadBundle, openFolder, readFolder, writeArchive, writeFolder } from './index.ts'
import { StagedFiles } from './staged-files.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'parquetry-folder-')), 'bundle')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const image = `images/${'a'.repeat(64)}.png`
const create = (files: Record<string, Record<string, unknown>>, timestamp = '2026-01-02T03:04:05+00:00'): Bundle => ({
  metadata: { version: '1.0.0', type: 'assets', timestamp },
  files: new Map(Object.entries(files)),
})
const files = {
  'charts/a.yaml': { slice_name: 'a' },
  'datasets/lab/b.yaml': { table_name: 'b' },
  'tags.yaml': { tags: [] },
  [image]: { base64: 'AAEC' },
}

describe('the folder of a bundle', () => {
  it('has the files of the archive, and is read like it', async () => {
    expect(await writeFolder(folder, create(files))).toEqual({ written: 5, removed: 0, unchanged: 0 })
    expect(readFileSync(join(folder, 'charts/a.yaml'), 'utf8')).toBe('slice_name: a\n')
    expect([...readFileSync(join(folder, image))]).toEqual([0, 1, 2])
    expect(await loadBundle(await openFolder(folder))).toEqual(create(files))
    expect((await readFolder(folder)).files.get('charts/a.yaml')).toEqual({ slice_name: 'a' })
  })

  it('is not touched by an export without a change, although its time differs', async () => {
    await writeFolder(folder, create(files))
    const before = statSync(join(folder, 'charts/a.yaml')).mtimeMs
    expect(await writeFolder(folder, create(files, '2027-01-01T00:00:00+00:00'))).toEqual({
      written: 0,
      removed: 0,
      unchanged: 5,
    })
    expect(statSync(join(folder, 'charts/a.yaml')).mtimeMs).toBe(before)
    expect((await openFolder(folder)).metadata.timestamp).toBe('2026-01-02T03:04:05+00:00')
  })

  it('loses the files of objects that are gone, and keeps those of the user', async () => {
    await writeFolder(folder, create(files))
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, '.git/x.yaml'), 'a: 1')
    writeFileSync(join(folder, 'README.md'), 'ours')
    writeFileSync(join(folder, 'ci.yaml'), 'ours: 1')
    writeFileSync(join(folder, 'charts/._a.yaml'), 'of a file manager')
    const rest = { 'charts/a.yaml': { slice_name: 'new' } }
    expect(await writeFolder(folder, create(rest, '2027-01-01T00:00:00+00:00'))).toEqual({
      written: 1,
      removed: 3,
      unchanged: 1,
    })
    expect(readdirSync(folder).toSorted()).toEqual(['.git', 'README.md', 'charts', 'ci.yaml', 'metadata.yaml'])
    expect((await openFolder(folder)).paths).toEqual(['charts/a.yaml'])
  })

  it('keeps the path of an object whose name is another one, but not of another id', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
    const before = {
      'charts/A_1.yaml': { slice_name: 'A', uuid: a },
      'charts/C_3.yaml': { slice_name: 'C', uuid: c },
      'datasets/A.yaml': { table_name: 'A', uuid: a },
    }
    await writeFolder(folder, create(before))
    const after = {
      'charts/C_4.yaml': { slice_name: 'C', uuid: c },
      'charts/New_1.yaml': { slice_name: 'New', uuid: a },
      'datasets/A.yaml': { table_name: 'A', uuid: b },
      'datasets/B.yaml': { table_name: 'B', uuid: a },
      // Its path names the chart that it belongs to.
      'other_fields/charts/New_1.yaml': { uuid: a, later: 1 },
    }
    await writeFolder(folder, create(after))
    const { files: read } = await loadBundle(await openFolder(folder))
    expect([...read].map(([path, { uuid }]) => [path, uuid])).toEqual([
      ['charts/A_1.yaml', a],
      ['charts/C_4.yaml', c],
      ['datasets/A-2.yaml', b],
      ['datasets/A.yaml', a],
      ['other_fields/charts/A_1.yaml', a],
    ])
    expect(await writeFolder(folder, create(after))).toMatchObject({ written: 0, removed: 0 })
  })

  it('is as before when an export fails, and incomplete to readers when it was interrupted', async () => {
    await writeFolder(folder, create(files))
    const read = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [[entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]] : [],
      )
    const before = read()
    const failing = {
      get slice_name(): string {
        throw new Error('The disk is full.')
      },
    }
    const next = create({ 'charts/a.yaml': { slice_name: 'new' }, 'charts/b.yaml': failing })
    await expect(writeFolder(folder, next)).rejects.toThrow('The disk is full.')
    mkdirSync(join(folder, 'charts/c.yaml'))
    const inTheWay = create({ 'charts/a.yaml': { slice_name: 'new' }, 'charts/c.yaml': {} })
    await expect(writeFolder(folder, inTheWay)).rejects.toThrow('charts/c.yaml is a folder')
    expect(read()).toEqual(before)

    const staged = new StagedFiles(folder)
    staged.add('charts/a.yaml', Buffer.from('slice_name: new'))
    staged.add('charts/c.yaml', Buffer.from(''))
    staged.add('metadata.yaml', Buffer.from(''))
    expect(() => staged.replace(['tags.yaml'])).toThrow('EISDIR')
    await expect(openFolder(folder)).rejects.toThrow('Error importing the bundle')
    rmSync(join(folder, 'charts/c.yaml'), { recursive: true })
    await writeFolder(folder, create(files))
    expect(await loadBundle(await openFolder(folder))).toEqual(create(files))
    expect(readdirSync(folder)).not.toContain('.parquetry-export')
  })

  it('is not written among files that belong to no bundle, which an export would remove', async () => {
    mkdirSync(join(folder, 'charts'), { recursive: true })
    writeFileSync(join(folder, 'charts/values.yaml'), 'image: ours')
    await expect(writeFolder(folder, create(files))).rejects.toThrow('contains charts/values.yaml')
    expect(readFileSync(join(folder, 'charts/values.yaml'), 'utf8')).toBe('image: ours')
  })

  it('has no symbolic links, which could lead out of it', async () => {
    await writeFolder(folder, create(files))
    rmSync(join(folder, 'charts'), { recursive: true })
    const outside = join(folder, '../outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'a.yaml'), 'slice_name: outside')
    for (const [path, target] of [
      ['charts', outside],
      ['charts/a.yaml', join(outside, 'a.yaml')],
    ] as const) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      symlinkSync(target, join(folder, path))
      const refused = { details: { [path]: expect.stringContaining('symbolic link') as string } }
      await expect(openFolder(folder)).rejects.toMatchObject(refused)
      await expect(writeFolder(folder, create(files))).rejects.toMatchObject(refused)
      rmSync(join(folder, path))
    }
    expect(readFileSync(join(outside, 'a.yaml'), 'utf8')).toBe('slice_name: outside')
  })

  it('is the same with line ends of Windows and a byte order mark, and has no names that differ in case only', async () => {
    const sql = { 'queries/q.yaml': { sql: 'select 1\nfrom t' } }
    await writeFolder(folder, create(sql))
    const path = join(folder, 'queries/q.yaml')
    const onWindows = readFileSync(path, 'utf8').replaceAll('\n', '\r\n')
    writeFileSync(path, onWindows)
    expect(await writeFolder(folder, create(sql))).toMatchObject({ written: 0, unchanged: 2 })
    writeFileSync(path, `\uFEFF${onWindows}`)
    expect((await loadBundle(await openFolder(folder))).files).toEqual(new Map(Object.entries(sql)))
    await writeFolder(folder, create({ 'queries/\u00c4.yaml': { sql: '1' }, 'queries/a\u0308.yaml': { sql: '2' } }))
    expect(readdirSync(join(folder, 'queries')).toSorted()).toEqual(['a\u0308-2.yaml', '\u00c4.yaml'])
  })

  it('names the file and line of a mistake', async () => {
    await writeFolder(folder, create(files))
    writeFileSync(join(folder, 'charts/a.yaml'), 'slice_name: a\nparams: [')
    const source = await openFolder(folder)
    await expect(source.read('charts/a.yaml')).rejects.toMatchObject({
      details: { 'charts/a.yaml': expect.stringContaining('line 2') as string },
    })
    await expect(source.read('charts/missing.yaml')).rejects.toThrow(RangeError)
    rmSync(join(folder, 'metadata.yaml'))
    await expect(openFolder(folder)).rejects.toMatchObject({
      details: {
        'metadata.yaml': { _schema: ['The bundle has no metadata.yaml. It is incomplete, or it is not an export.'] },
      },
    })
  })
})

it('an archive of the same objects and time has the same bytes', async () => {
  const first = await writeArchive(create(files), 'r')
  expect((await writeArchive(create(files), 'r')).equals(first)).toBe(true)
  expect((await writeArchive(create({ ...files, 'charts/a.yaml': { slice_name: 'b' } }), 'r')).equals(first)).toBe(
    false,
  )
})
