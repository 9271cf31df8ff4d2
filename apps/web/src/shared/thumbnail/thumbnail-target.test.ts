import { expect, it } from 'vitest'
import { parseThumbnailTarget } from './thumbnail-target.ts'

it('derives the thumbnail of a recent item from its address', () => {
  expect(parseThumbnailTarget('/explore/?slice_id=7')).toEqual({ kind: 'chart', id: 7 })
  expect(parseThumbnailTarget('/superset/dashboard/sales%20weekly/')).toEqual({
    kind: 'dashboard',
    name: 'sales weekly',
  })
  expect(parseThumbnailTarget('/superset/dashboard/12/?standalone=1')).toEqual({ kind: 'dashboard', name: '12' })
  expect(parseThumbnailTarget('/superset/sqllab/?savedQueryId=3')).toBeNull()
})
