import { engineOf } from '@parquetry/engines'
import { expect, it } from 'vitest'
import { selectStar } from './sql-text.ts'

const postgres = engineOf('postgresql')
if (!postgres) throw new Error('no PostgreSQL engine')

it('quotes names that need it, and names that contain a quote', () => {
  expect(selectStar(postgres, 'public', 'fx one', null)).toBe('SELECT *\nFROM public."fx one"\nLIMIT 100')
  expect(selectStar(postgres, null, 'cars', ['Name', 'order', 'hp'])).toBe(
    'SELECT "Name",\n       "order",\n       hp\nFROM cars\nLIMIT 100',
  )
  expect(selectStar(postgres, null, 'a"; drop', null)).toBe('SELECT *\nFROM "a""; drop"\nLIMIT 100')
})
