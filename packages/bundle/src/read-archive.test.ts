import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@parquetry/model'
import { afterAll, describe, expect, it } from 'vitest'
import { defaultArchiveLimits, readArchive, readArchivedText, readDocuments, unpackArchive } from './index.ts'
import { zipEntries } from './testing.ts'

const metadata = 'version: 1.0.0\ntype: assets\ntimestamp: x\n'
const folder = mkdtempSync(join(tmpdir(), 'parquetry-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

const charts = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`r/charts/${index}.yaml`, 'slice_name: a']))

async function gatherDocuments(packed: Buffer, limits = defaultArchiveLimits): Promise<string[]> {
  const paths: string[] = []
  for await (const [path] of readDocuments(packed, { limits })) paths.push(path)
  return paths
}

/** The sentences about an archive that is refused. */
async function refuse(packed: Buffer, limits = defaultArchiveLimits): Promise<string> {
  const error: unknown = await gatherDocuments(packed, limits).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error('not refused', { cause: error })
  return `${error.message} ${JSON.stringify(error.details)}`
}

describe('an archive', () => {
  it('API-091: with the most objects is read, and one object more is refused by the name of the setting', async () => {
    const limits = { ...defaultArchiveLimits, objects: 3 }
    const files = { 'r/metadata.yaml': metadata, 'r/notes.txt': '', ...charts(3) }
    expect(await gatherDocuments(await zipEntries(files), limits)).toHaveLength(4)
    // What is in the files does not matter: none of them is read.
    const more = await zipEntries({ ...files, 'r/charts/0.yaml': 'not: [valid', 'r/charts/3.yaml': '' })
    expect(await refuse(more, limits)).toContain('more than 3 objects, the limit IMPORT_OBJECT_LIMIT')
  })

  it('API-091: with more files or bytes than allowed is refused by the name of the setting', async () => {
    const packed = await zipEntries({ 'r/metadata.yaml': metadata, ...charts(3) })
    expect(await refuse(packed, { ...defaultArchiveLimits, files: 3 })).toContain(
      '3 files, the limit IMPORT_FILE_LIMIT',
    )
    const large = await zipEntries({ 'r/metadata.yaml': metadata, 'r/a.bin': Buffer.alloc(2 << 20, 'random') })
    expect(await refuse(large, { ...defaultArchiveLimits, unpackedBytes: 2 << 20 })).toContain(
      '2 MB, the limit IMPORT_UNPACKED_LIMIT_MB',
    )
  })

  it.each(['../charts/a.yaml', 'r/../../a.yaml', '/etc/a.yaml', 'C:/a.yaml', 'r\\..\\..\\a.yaml', '\\a.yaml'])(
    'with the path %s is refused',
    async (path) => {
      expect(await refuse(await zipEntries({ 'r/metadata.yaml': metadata, [path]: 'a: 1' }))).toContain(
        'leads out of it',
      )
    },
  )

  it('with backslashes between folders is read', async () => {
    const packed = await zipEntries({ 'r/metadata.yaml': metadata, 'r\\charts\\a.yaml': 'slice_name: a' })
    expect([...(await readArchive(packed)).files.keys()]).toEqual(['charts/a.yaml'])
  })

  it('with the same name twice is refused', async () => {
    const packed = await zipEntries({
      'r/metadata.yaml': metadata,
      'r/charts/a.yaml': 'a: 1',
      'r/charts/b.yaml': 'a: 2',
    })
    const name = 'r/charts/b.yaml'
    for (let at = packed.indexOf(name); at >= 0; at = packed.indexOf(name, at)) packed.write('r/charts/a.yaml', at)
    expect(await refuse(packed)).toContain('two files named r/charts/a.yaml')
  })

  it('that is damaged is refused', async () => {
    const packed = await zipEntries({
      'r/metadata.yaml': metadata,
      'r/charts/a.yaml': Buffer.from('slice_name: abcdef'),
    })
    const at = packed.indexOf('r/charts/a.yaml') + 'r/charts/a.yaml'.length + 3
    packed[at] = packed[at]! ^ 0xff
    expect(await refuse(packed)).toContain('may be damaged')
  })

  it('regression: one whose aliases repeat long texts is refused', async () => {
    const text = `a: &a ${'x'.repeat(900_000)}\nb: [${'*a,'.repeat(60)}]`
    expect(await refuse(await zipEntries({ 'r/metadata.yaml': metadata, 'r/charts/a.yaml': text }))).toContain(
      'larger than 10 MB',
    )
  })

  it('is unpacked into a file that only its owner can read', async () => {
    const packed = join(folder, 'packed.zip')
    const output = join(folder, 'documents')
    writeFileSync(
      packed,
      await zipEntries({ 'r/metadata.yaml': metadata, 'r/charts/ä.yaml': 'slice_name: größe', ...charts(2) }),
    )
    const entries = []
    const starts: number[] = []
    const options = {
      limits: defaultArchiveLimits,
      onStart: ({ documents }: { documents: number }) => starts.push(documents),
    }
    for await (const entry of unpackArchive(packed, output, options)) entries.push(entry)
    const bytes = readFileSync(output)
    expect(starts).toEqual([4])
    expect(
      entries.map(([path, offset, length]) => [path, JSON.parse(bytes.subarray(offset, offset + length).toString())]),
    ).toEqual([
      ['metadata.yaml', { version: '1.0.0', type: 'assets', timestamp: 'x' }],
      ['charts/ä.yaml', { slice_name: 'größe' }],
      ['charts/0.yaml', { slice_name: 'a' }],
      ['charts/1.yaml', { slice_name: 'a' }],
    ])
    expect(statSync(output).mode & 0o777).toBe(0o600)
  })

  it('gives the text of one file', async () => {
    const packed = await zipEntries({ 'x/r/metadata.yaml': metadata, 'x/r/charts/a.yaml': 'slice_name: a' })
    expect(await readArchivedText(packed, 'charts/a.yaml')).toBe('slice_name: a')
    expect(await readArchivedText(packed, 'charts/b.yaml')).toBeUndefined()
  })
})
