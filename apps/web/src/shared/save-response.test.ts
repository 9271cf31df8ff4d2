import { expect, it } from 'vitest'
import { buildFileName } from './save-response.ts'

it.each([
  ['Revenue.csv', '20261127_180537.csv', 'Revenue.csv'],
  ['Revenue.csv', '20261127_180537.zip', 'Revenue.zip'],
  ['Q1. Revenue.xlsx', '20261127.xlsx', 'Q1. Revenue.xlsx'],
  ['Revenue.png', undefined, 'Revenue.png'],
  ['.xlsx', '20261127.xlsx', '20261127.xlsx'],
])('regression: files were named after their creation time: %s, served as %s', (wanted, served, name) => {
  expect(buildFileName(wanted, served)).toBe(name)
})
