import type { Translate } from '@parquetry/ui'
import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { AnnotationDialog } from './AnnotationDialog.tsx'
import { annotationList } from './annotation-list.tsx'
import { layerList } from './layer-list.tsx'

const english: Translate = (_id, text) => text
const tools = { t: english, go: () => {}, open: () => {}, refresh: () => {} }
const stored = {
  id: 2,
  short_descr: 'Version 1',
  start_dttm: '2026-03-01T08:00:00',
  end_dttm: '2026-03-01T09:30:00',
  long_descr: 'The first one',
  json_metadata: '{"by": "shop"}',
}

const shown = (mayWrite: boolean) => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(['annotation_layer', 'annotation', 1, 2], stored)
  return show(
    <QueryClientProvider client={queries}>
      <AnnotationDialog layer={1} id={2} mayWrite={mayWrite} onClose={() => {}} />
    </QueryClientProvider>,
  )
}

it('shows an annotation read-only to users without write permission', async () => {
  await shown(false)
  await expect.element(page.getByRole('dialog', { name: 'Version 1' })).toBeVisible()
  for (const text of ['2026-03-01 08:00 – 09:30 UTC', 'The first one', '{"by": "shop"}'])
    await expect.element(page.getByText(text)).toBeVisible()
  expect(page.getByRole('textbox').elements()).toEqual([])
})

it('reports immediately that the end is before the start', async () => {
  await shown(true)
  const end = page.getByLabelText(/^End/)
  await end.fill('2026-03-01T07:00')
  await expect.element(end).toHaveAccessibleDescription('The end is before the start')
  await end.fill('2026-03-01T10:00')
  await expect.element(end).toBeValid()
})

it('offers no edit action without write permission', () => {
  const look = { clipped: undefined, times: undefined }
  const layer = { id: 1, name: 'Releases', descr: null }
  const entries = (mayWrite: boolean) => [
    layerList(english, mayWrite, undefined).menu?.({ id: 1, name: 'Releases', descr: null, changed_by: null }, tools),
    annotationList(english, layer, { mayWrite, ...look }).menu?.(stored, tools),
  ]
  expect(entries(false)).toEqual([[], []])
  expect(entries(true).map((menu) => menu?.length)).toEqual([1, 1])
})
