import type { AppError } from '@parquetry/model'
import { createRandom, groupSeeds, nameCase, type Random } from '@parquetry/model/testing/random'
import { parse } from 'yaml'
import { ZipFile } from 'yazl'
import { describe, expect, it } from 'vitest'
import { toFileName, readArchive, readYaml, writeArchive, writeYaml, type Bundle } from './index.ts'

const bundle: Bundle = {
  metadata: { version: '1.0.0', type: 'Slice', timestamp: '2026-01-02T03:04:05+00:00' },
  files: new Map([
    [
      'charts/Sales_1.yaml',
      { slice_name: 'Sales: "all"', params: { metrics: ['count'], extra: null }, version: '1.0.0' },
    ],
    ['databases/lab.yaml', { database_name: 'lab', allow_dml: false, answer: 'yes' }],
  ]),
}

async function zipEntries(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Texts that YAML could read as something else. */
const oddTexts = [
  ...`~ null yes No 08001 1_000 1e3 0x1F .inf 2026-01-01 12:30:45 = << # | &a *a !t % @ { ] " ' , --- ...`.split(' '),
  '',
  ' ',
  '- a',
  'a: b',
  'a #b',
  '> x',
  'space ',
  '`',
  'größe',
  '🙂',
  '\n',
  ' \n',
  'line\nbreak',
  'end\n\n',
  '\ttab',
  '\u0085',
  '\u2028',
  ...['x', 'a b '].map((text) => text.repeat(60)),
]

function createField(random: Random, depth: number): unknown {
  const text = () => random.pick(oddTexts) + random.pick([...oddTexts, '', ''])
  switch (random.int(depth > 3 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false])
    case 1:
      return random.pick([random.int(1e6), -random(), random() * 1e9, -Number.MAX_SAFE_INTEGER, 0.1, 1e-7])
    case 2:
    case 3:
      return text()
    case 4:
      return Array.from({ length: random.int(4) }, () => createField(random, depth + 1))
    default:
      return createFields(random, depth + 1)
  }
}

const createFields = (random: Random, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: 1 + random.int(4) }, () => [`k${random.pick(oddTexts)}`, createField(random, depth)]),
  )

const metadata = 'version: 1.0.0\ntype: Slice\ntimestamp: x\n'

describe('an export bundle', () => {
  it('regression: is packed without the memory of all files at once', async () => {
    const files = Array.from({ length: 3000 }, (_, n) => [`charts/${n}.yaml`, { slice_name: 'a' }] as const)
    const before = process.resourceUsage().maxRSS
    expect((await readArchive(await writeArchive({ ...bundle, files }, 'root'))).files.size).toBe(3000)
    // In kilobytes. Compressing each of them takes 256 KB, which were 750 MB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(300 << 10)
  })

  it('survives a round trip through an archive', async () => {
    expect(await readArchive(await writeArchive(bundle, 'chart_export_20260102T030405'))).toEqual(bundle)
  })

  it('carries any texts, numbers and lists of documents unchanged', async () => {
    for (const seeds of groupSeeds(200, 200)) {
      const files = new Map(seeds.map((seed) => [`charts/${nameCase(seed)}.yaml`, createFields(createRandom(seed), 0)]))
      const read = await readArchive(await writeArchive({ ...bundle, files }, 'chart_export_20260102T030405'))
      expect([...read.files]).toEqual([...files])
    }
  })

  it('is read regardless of the name of its root folder', async () => {
    const read = await readArchive(
      await zipEntries({ 'any/metadata.yaml': metadata, 'any/charts/a.yaml': 'slice_name: a' }),
    )
    expect([...read.files]).toEqual([['charts/a.yaml', { slice_name: 'a' }]])
  })

  it.each([
    ['at the top', ''],
    ['one folder too deep', 'a/b/'],
    ['in a folder with blanks and letters of other scripts', 'meine Exporte (2) 输出/'],
  ])('C089: is read with its files %s, and with a version and date without quotes', async (_name, root) => {
    const read = await readArchive(
      await zipEntries({
        [`${root}metadata.yaml`]: 'version: 1.0.0\ntype: Slice\ntimestamp: 2026-01-02T03:04:05+00:00\n',
        [`${root}charts/a.yaml`]: 'slice_name: a',
        'other/charts/b.yaml': 'slice_name: b',
      }),
    )
    expect(read.metadata).toMatchObject({ version: '1.0.0', type: 'Slice' })
    expect(read.files.get('charts/a.yaml')).toEqual({ slice_name: 'a' })
  })

  it('C089: is read without the files that archivers add, with a byte order mark and Windows line ends', async () => {
    const read = await readArchive(
      await zipEntries({
        '__MACOSX/my export/._metadata.yaml': Buffer.from([0, 5, 22, 7, 0]),
        'my export/.DS_Store': Buffer.from([0, 0, 0, 1]),
        'my export/charts/._a.yaml': Buffer.from([0, 5, 22, 7, 0]),
        'my export/metadata.yaml': `\uFEFF${metadata.replaceAll('\n', '\r\n')}`,
        'my export/charts/a.yaml': 'slice_name: größe\r\n',
      }),
    )
    expect([...read.files]).toEqual([['charts/a.yaml', { slice_name: 'größe' }]])
    expect(read.metadata.type).toBe('Slice')
  })

  const codes = [
    '2026-01-01',
    'No',
    'y',
    '12:30:45',
    '1_000',
    '08001',
    '010',
    '0x1F',
    '0o17',
    '1e3',
    '=',
    '<<',
    '~',
    'null',
    ' a',
    '',
  ]

  it.each(['1.1', '1.2'] as const)('writes texts that readers of YAML %s read as texts', (version) => {
    const document = Object.fromEntries(codes.map((text) => [`t${text}`, text]))
    expect(parse(writeYaml({ ...document, n: null, one: 1, yes: true }), { version })).toEqual({
      ...document,
      n: null,
      one: 1,
      yes: true,
    })
  })

  it('reads codes with leading zeros and long numbers as text', () => {
    expect(readYaml('a: 08001\nb: -007\nc: 12345678901234567890\nd: 8001\ne: 0.5\nf: 0\n', 'a.yaml')).toEqual({
      a: '08001',
      b: '-007',
      c: '12345678901234567890',
      d: 8001,
      e: 0.5,
      f: 0,
    })
  })

  it.each([
    ['no archive', Buffer.from('hello'), 'neither a ZIP archive nor'],
    ['a damaged archive', Buffer.from('PK and nothing else'), 'not a ZIP archive'],
    ['no metadata', { 'r/charts/a.yaml': 'a: 1' }, 'Error importing'],
    ['another version', { 'r/metadata.yaml': metadata.replace('1.0.0', '2.0.0') }, 'Error importing'],
    ['duplicate keys', { 'r/metadata.yaml': metadata, 'r/charts/a.yaml': 'a: 1\na: 2' }, 'Error importing'],
    [
      'a bomb of zeros',
      { 'r/metadata.yaml': metadata, 'r/charts/a.yaml': Buffer.alloc(9 << 20, 32) },
      'suspiciously high compression',
    ],
    [
      'a huge file',
      { 'r/metadata.yaml': metadata, 'r/charts/a.yaml': Buffer.alloc(11 << 20, 32) },
      'larger than allowed',
    ],
  ])('with %s is rejected with a message', async (_name, input, sentence) => {
    const packed = Buffer.isBuffer(input) ? input : await zipEntries(input as Record<string, string>)
    await expect(readArchive(packed)).rejects.toThrow(sentence)
  })

  it.each<[string, string, string]>([
    ['more values than are read', `a: [${'1,'.repeat(150_000)}]`, 'more than 100,000 values'],
    ['many keys in one map', `a: {${'b,'.repeat(2000)}}`, 'must be unique'],
    ['levels without end', `a: ${'['.repeat(100_000)}`, 'nested more than'],
    [
      'levels of blocks',
      Array.from({ length: 100 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
      'nested more than',
    ],
    ['long lists by reference', `a: &a [${'1,'.repeat(3000)}]\nb: [${'*a,'.repeat(60)}]`, 'more than 100,000 values'],
  ])('regression: %s in a YAML file are rejected', (_name, text, sentence) => {
    const refusal = (() => {
      try {
        return readYaml(text, 'x.yaml')
      } catch (error) {
        return (error as AppError).details
      }
    })()
    expect(String(refusal['x.yaml'])).toContain(sentence)
  })

  it('regression: small files are rejected when their total unpacked size exceeds the limit', async () => {
    const files = Array.from(
      { length: 30 },
      (_, index) => [`r/charts/${index}.yaml`, Buffer.alloc(1 << 20, 32)] as const,
    )
    const packed = await zipEntries({ 'r/metadata.yaml': metadata, ...Object.fromEntries(files) })
    await expect(readArchive(packed)).rejects.toThrow('larger than allowed')
  })

  it('rejects a YAML file whose aliases expand exponentially', () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de'].map((pair) => [...pair]))
      lines.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(',')}]`)
    expect(() => readYaml(lines.join('\n'), 'x.yaml')).toThrow('Error importing')
  })

  it('does not let a document set prototypes', () => {
    const read = readYaml('__proto__: {admin: true}', 'x.yaml')
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect('admin' in {}).toBe(false)
  })

  it('turns titles into safe file names', () => {
    expect(['Cars by origin', '../../etc/passwd', ' a/b:c* ', '日本 1', '...'].map(toFileName)).toEqual([
      'Cars_by_origin',
      'etc_passwd',
      'a_bc',
      '日本_1',
      'unnamed',
    ])
    expect(toFileName('Legacy bar / odd: name?')).toBe('Legacy_bar_odd_name')
    expect(toFileName(`${'_'.repeat(5_000_000)}x`)).toBe('unnamed')
  })
})
