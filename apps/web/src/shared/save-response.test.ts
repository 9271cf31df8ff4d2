import { expect, it } from 'vitest'
import { buildFileName, readServedName } from './save-response.ts'

it.each([
  ['Revenue.csv', '20261127_180537.csv', 'Revenue.csv'],
  ['Revenue.csv', '20261127_180537.zip', 'Revenue.zip'],
  ['Q1. Revenue.xlsx', '20261127.xlsx', 'Q1. Revenue.xlsx'],
  ['Revenue.png', undefined, 'Revenue.png'],
  ['.xlsx', '20261127.xlsx', '20261127.xlsx'],
])('regression: files were named after their creation time: %s, served as %s', (wanted, served, name) => {
  expect(buildFileName(wanted, served)).toBe(name)
})

it('reads the name of a file in both notations', () => {
  const named = (header: string): string | undefined =>
    readServedName(new Response('', { headers: { 'Content-Disposition': header } }))
  expect(named("attachment; filename*=UTF-8''Ums%C3%A4tze%202026.pdf")).toBe('Umsätze 2026.pdf')
  expect(named('attachment; filename="a b.csv"')).toBe('a b.csv')
  expect(named('attachment')).toBeUndefined()
})
