import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bundle, writeFolder } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, Program, type ProgramRun, signIn } from './testing.ts'

const uuid = (letter: string): string => `${letter.repeat(8)}-0000-4000-8000-000000000000`

const bundle: Bundle = {
  metadata: { version: '1.0.0', type: 'assets', timestamp: '2026-01-02T03:04:05+00:00' },
  files: new Map<string, Record<string, unknown>>([
    [
      'databases/Shop.yaml',
      {
        database_name: 'Shop',
        sqlalchemy_uri: 'postgresql://reader:XXXXXXXXXX@db.example.com/shop',
        uuid: uuid('a'),
        version: '1.0.0',
      },
    ],
    [
      'datasets/Shop/sales.yaml',
      {
        table_name: 'sales',
        columns: [{ column_name: 'amount', type: 'INT' }],
        metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }],
        uuid: uuid('b'),
        database_uuid: uuid('a'),
        version: '1.0.0',
      },
    ],
    ...['c', 'd'].map((letter, index): [string, Record<string, unknown>] => [
      `charts/Sales_${letter}_${11 + index}.yaml`,
      {
        slice_name: `Sales ${letter}`,
        viz_type: 'table',
        params: { viz_type: 'table', metrics: ['count'] },
        uuid: uuid(letter),
        dataset_uuid: uuid('b'),
        version: '1.0.0',
      },
    ]),
  ]),
}

let program: Program
let server: ProgramRun & { url: string }
let folder: string
const secrets = { PARQUETRY_IMPORT_SECRETS: '{"passwords": {"databases/Shop.yaml": "s3cret-of-shop"}}' }
const names = async (): Promise<string[]> => {
  const { access_token } = (await (await signIn(server.url)).json()) as { access_token: string }
  const response = await fetch(`${server.url}/api/v1/chart/`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const { result } = (await response.json()) as { result: { slice_name: string }[] }
  return result.map(({ slice_name }) => slice_name).toSorted()
}
const change = (path: string, edit: (text: string) => string) =>
  writeFileSync(join(folder, path), edit(readFileSync(join(folder, path), 'utf8')))

beforeAll(async () => {
  program = new Program()
  folder = join(mkdtempSync(join(tmpdir(), 'parquetry-code-')), 'bundle')
  server = await program.startServer(admin)
  await writeFolder(folder, bundle)
}, 60_000)
afterAll(() => {
  program.dispose()
  rmSync(join(folder, '..'), { recursive: true })
})

describe('a folder as source code, while a server runs', () => {
  it('is not imported without its secrets, or with mistakes, and nothing changes', async () => {
    const plan = await program.runToEnd(['plan', folder])
    expect([plan.code, plan.err]).toEqual([1, expect.stringContaining('databases/Shop.yaml')])
    expect(plan.err).toContain('PARQUETRY_IMPORT_SECRETS')
    const refused = await program.runToEnd(['import', folder])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Must provide a password')])
    const wrong = await program.runToEnd(['plan', folder], { PARQUETRY_IMPORT_SECRETS: '{"passwords": "s3cret' })
    expect([wrong.code, wrong.err]).toEqual([2, 'PARQUETRY_IMPORT_SECRETS cannot be read as JSON.\n'])
    change('charts/Sales_d_12.yaml', (text) => `${text}params: [\n`)
    const invalid = await program.runToEnd(['import', folder], secrets)
    expect([invalid.code, invalid.err]).toEqual([1, expect.stringMatching(/charts\/Sales_d_12\.yaml: .*line \d+/)])
    await writeFolder(folder, bundle)
    expect((await program.runToEnd(['plan', `${folder}-missing`])).code).toBe(2)
    const noFolder = await program.runToEnd(['export', join(folder, 'metadata.yaml')])
    expect([noFolder.code, noFolder.err]).toEqual([1, expect.stringMatching(/^The folder cannot be .*EEXIST.*\n$/)])
    expect(await names()).toEqual([])
  })

  it('is planned, imported, exported without secrets, and pruned', async () => {
    const closed = program.run(['plan', folder], secrets)
    closed.child.stdout?.destroy()
    expect([await closed.code, closed.err]).toEqual([6, ''])
    const plan = await program.runToEnd(['plan', folder], secrets)
    expect([plan.code, plan.out]).toEqual([6, expect.stringContaining('+ charts/Sales_c_11.yaml (chart "Sales c")\n')])
    expect(await names()).toEqual([])
    expect(await program.runToEnd(['import', folder], secrets)).toMatchObject({ code: 0, err: '' })
    expect(await names()).toEqual(['Sales c', 'Sales d'])

    // The stored password stays, so that it is not asked for again.
    expect(await program.runToEnd(['export', folder])).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(folder, 'charts'))).toEqual(['Sales_c_11.yaml', 'Sales_d_12.yaml'])
    expect(readFileSync(join(folder, 'databases/Shop.yaml'), 'utf8')).not.toContain('s3cret')
    expect(await program.runToEnd(['plan', folder, '--prune'])).toMatchObject({
      code: 0,
      out: '4 the same, 0 to delete\n',
    })
    expect((await program.runToEnd(['export', folder])).out).toContain('0 files written, 0 removed, 5 unchanged')

    change('charts/Sales_c_11.yaml', (text) => text.replace('slice_name: Sales c', 'slice_name: Sales of shops'))
    rmSync(join(folder, 'charts/Sales_d_12.yaml'))
    const changed = await program.runToEnd(['plan', folder, '--prune'])
    expect(changed.code).toBe(6)
    expect(changed.out).toContain('~ slice_name: "Sales c" → "Sales of shops"')
    expect(changed.out).toContain('- chart "Sales d" would be deleted')
    expect((await program.runToEnd(['import', folder])).code).toBe(0)
    expect(await names()).toEqual(['Sales d', 'Sales of shops'])
    expect((await program.runToEnd(['import', folder, '--prune'])).code).toBe(0)
    expect(await names()).toEqual(['Sales of shops'])
  })

  it('deletes nothing for a bundle of some objects', async () => {
    change('metadata.yaml', (text) => text.replace('type: assets', 'type: Slice'))
    const refused = await program.runToEnd(['import', folder, '--prune'])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--prune needs a bundle of everything')])
    expect(await names()).toEqual(['Sales of shops'])
  })
})
