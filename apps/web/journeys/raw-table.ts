import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { createApiClient } from './product.ts'

/** Number of columns of the undocumented table. */
export const rawColumnCount = 40
const kinds = ['day', 'region', 'amount', 'code'] as const

/** `c01_day`, `c02_rgn`, `c03_amt`, `c04_cd`, `c05_day` ... */
export const rawColumnNames: readonly string[] = Array.from({ length: rawColumnCount }, (_, index) => {
  const number = String(index + 1).padStart(2, '0')
  return `c${number}_${{ day: 'day', region: 'rgn', amount: 'amt', code: 'cd' }[kinds[index % 4] ?? 'code']}`
})

const buildCellValue = (column: number, row: number): string => {
  if (column % 4 === 0) return new Date(Date.UTC(2024, 0, 1 + ((row + column) % 90))).toISOString().slice(0, 10)
  if (column % 4 === 1) return ['North', 'South', 'East', 'West'][(row + column) % 4] ?? ''
  if (column % 4 === 2) return row % 10 === 0 ? '' : String(((row * 7 + column) % 113) + 0.5)
  return `K${(row * 31 + column) % 200}`
}

/** 300 rows of a table as some system exports it. */
export const buildRawCsv = (): string =>
  [
    rawColumnNames.join(','),
    ...Array.from({ length: 300 }, (_, row) =>
      rawColumnNames.map((_name, index) => buildCellValue(index, row)).join(','),
    ),
  ].join('\n')

/** Uploads a file as the dialog does, creates a table from it, and returns the ID of its dataset. */
export async function uploadTable(
  page: Page,
  client: Awaited<ReturnType<typeof createApiClient>>,
  table: string,
  csv: string,
): Promise<number> {
  const { request } = page.context()
  const { result: token } = await (await request.get('/api/v1/security/csrf_token/')).json()
  const call = async (method: string, path: string, data?: object) => {
    const response = await request.fetch(`/api/v1/upload/${path}`, {
      method,
      headers: { 'X-CSRFToken': token, ...(data instanceof Buffer && { 'Content-Type': 'application/octet-stream' }) },
      data,
    })
    return response.json()
  }
  const file = Buffer.from(csv)
  const { id } = await call('POST', '', { file_name: `${table}.csv`, size: file.length })
  await call('PUT', `${id}?offset=0`, file)
  const { style, width, columns } = await call('POST', `${id}/look`, {})
  const load = { table_name: table, database: null, already_exists: 'fail', style, width, columns }
  let { state } = await call('POST', `${id}/load`, { ...load, consent: { values: [], lines: false } })
  while (state === 'loading') {
    await new Promise((resolve) => setTimeout(resolve, 100))
    state = (await call('GET', id)).state
  }
  expect(state).toBe('ready')
  const { body } = await client.get(`/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:${table})))`)
  return body.result[0].id as number
}
