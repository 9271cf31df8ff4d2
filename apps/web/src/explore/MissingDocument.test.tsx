import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { boot } from '../shared/boot.ts'
import { showControl } from './controls/with-queries.testing.tsx'
import { MissingDocument } from './MissingDocument.tsx'
import type { ExploreDocument } from './use-explore.ts'

const deleted = { form_data: { slice_id: 9 }, slice: null, dataset: { columns: [], metrics: [] } }
const present = { ...deleted, slice: { slice_id: 9, form_data: {} } }
const open = async (document: object, trashed: { name: string }[]) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json({ count: trashed.length, result: trashed }),
  )
  await showControl(<MissingDocument document={document as ExploreDocument} onSwapped={() => undefined} />)
}
const { isAnonymous } = boot.user
afterEach(() => {
  boot.user.isAnonymous = isAnonymous
  vi.restoreAllMocks()
})

it('regression: a missing chart is not reported as a missing dataset, and is found in the trash', async () => {
  boot.user.isAnonymous = false
  await open(deleted, [{ name: 'Rain & wind' }])
  await expect.element(page.getByRole('heading', { name: 'Chart not found' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Swap dataset' }).elements()).toEqual([])
  await expect
    .element(page.getByRole('link', { name: 'Open in trash' }))
    .toHaveAttribute('href', '/trash/?kind=chart&q=Rain+%26+wind')
  await expect.element(page.getByRole('link', { name: 'All charts' })).toHaveAttribute('href', '/chart/list/')
})

it('a chart without its dataset is reported as that', async () => {
  await open(present, [])
  await expect.element(page.getByRole('heading', { name: /dataset|access to this chart/ })).toBeVisible()
})
