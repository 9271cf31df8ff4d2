import { afterEach, expect, it, vi } from 'vitest'
import { saveFormData } from './persist-form.ts'

const dataset = { id: 4, type: 'table' as const }
const form = { viz_type: 'table', row_limit: 7, url_params: { standalone: '1' } }
afterEach(() => void vi.restoreAllMocks())

it('SHARE-001, SHARE-002: stores a form under a key, as JSON text without URL parameters', async () => {
  const calls: { method: string; path: string; body: { form_data: string; chart_id?: number } }[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, { method = 'GET', body } = {}) => {
    calls.push({ method, path: String(input), body: JSON.parse(String(body)) as never })
    return Response.json({ key: 'k1' })
  })
  expect(await saveFormData({ form, dataset, sliceId: 9, known: null })).toBe('k1')
  await saveFormData({ form, dataset, sliceId: null, known: 'k1' })
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'PUT'])
  expect(calls[1]?.path).toContain('/api/v1/explore/form_data/k1')
  for (const { body } of calls) {
    expect(typeof body.form_data).toBe('string')
    expect(JSON.parse(body.form_data)).toEqual({ viz_type: 'table', row_limit: 7 })
  }
  expect(calls.map(({ body }) => body.chart_id)).toEqual([9, undefined])
})
