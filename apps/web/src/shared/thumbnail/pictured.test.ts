import { expect, it } from 'vitest'
import { picturedBy } from './pictured.ts'

it('a card of what was seen knows by its address what to draw', () => {
  expect(picturedBy('/explore/?slice_id=7')).toEqual({ kind: 'chart', id: 7 })
  expect(picturedBy('/superset/dashboard/sales%20weekly/')).toEqual({ kind: 'dashboard', name: 'sales weekly' })
  expect(picturedBy('/superset/dashboard/12/?standalone=1')).toEqual({ kind: 'dashboard', name: '12' })
  expect(picturedBy('/superset/sqllab/?savedQueryId=3')).toBeNull()
})
