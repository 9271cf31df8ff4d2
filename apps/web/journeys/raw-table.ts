import type { Page } from 'playwright-core'
import { dropFile } from './files.ts'
import type { signIn } from './product.ts'

/** How many columns a table has that nobody has described. */
export const rawColumns = 40
const kinds = ['day', 'region', 'amount', 'code'] as const

/** `c01_day`, `c02_rgn`, `c03_amt`, `c04_cd`, `c05_day` ... */
export const rawNames: readonly string[] = Array.from({ length: rawColumns }, (_, at) => {
  const number = String(at + 1).padStart(2, '0')
  return `c${number}_${{ day: 'day', region: 'rgn', amount: 'amt', code: 'cd' }[kinds[at % 4] ?? 'code']}`
})

const valueOf = (column: number, row: number): string => {
  if (column % 4 === 0) return new Date(Date.UTC(2024, 0, 1 + ((row + column) % 90))).toISOString().slice(0, 10)
  if (column % 4 === 1) return ['North', 'South', 'East', 'West'][(row + column) % 4] ?? ''
  if (column % 4 === 2) return row % 10 === 0 ? '' : String(((row * 7 + column) % 113) + 0.5)
  return `K${(row * 31 + column) % 200}`
}

/** 300 rows of a table as it comes out of some system. */
export const rawTable = (): string =>
  [
    rawNames.join(','),
    ...Array.from({ length: 300 }, (_, row) => rawNames.map((_name, at) => valueOf(at, row)).join(',')),
  ].join('\n')

/** Drops a file on Home, makes a table of it, and answers the id of its dataset. */
export async function uploadTable(
  page: Page,
  client: Awaited<ReturnType<typeof signIn>>,
  table: string,
  csv: string,
): Promise<number> {
  await page.goto('/superset/welcome/')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await dropFile(page, `${table}.csv`, csv)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('columnheader').first().waitFor()
  await dialog.getByRole('button', { name: 'Add and make a chart' }).click()
  await page.getByRole('heading', { level: 1, name: 'Suggested charts' }).waitFor()
  const { body } = await client.get(`/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:${table})))`)
  return body.result[0].id as number
}
