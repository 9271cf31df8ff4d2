import type { ListedChart } from '@parquetry/model'
import { expectTypeOf, it } from 'vitest'
import { createClient } from './client.ts'
import type { PathOf } from './contracts.ts'

// Checked by the type checker, which also reports an expected error that does not occur.
const api = createClient(() => Promise.reject(new Error('nothing is sent')))
const kind = 'chart' as 'chart' | 'dashboard'

it('knows the addresses of all contracts, and no others', () => {
  expectTypeOf<'/api/v1/chart/:id'>().toExtend<PathOf<'GET'>>()
  expectTypeOf<'/api/v1/chart/data'>().toExtend<PathOf<'POST'>>()
  expectTypeOf<'/api/v1/nothing/'>().not.toExtend<PathOf<'GET'>>()
  const calls = () => [
    // @ts-expect-error no such address
    api.get('/api/v1/charts/'),
    // @ts-expect-error not by this method
    api.post('/api/v1/menu/'),
  ]
  expectTypeOf(calls).toBeFunction()
})

it('requires the parameters, the query and the body of the contract', () => {
  const calls = () => [
    // @ts-expect-error without its parameter
    api.get('/api/v1/dashboard/:id/charts'),
    // @ts-expect-error a parameter of another name
    api.get('/api/v1/dashboard/:id/charts', { params: { name: 3 } }),
    // @ts-expect-error without its body
    api.post('/api/v1/chart/'),
    // @ts-expect-error a body that lacks a field
    api.post('/api/v1/chart/', { body: { slice_name: 'a' } }),
    // @ts-expect-error a field that the body does not have
    api.put('/api/v1/chart/:id', { params: { id: 3 }, body: { name: 'a' } }),
    // @ts-expect-error a form is no JSON
    api.post('/kv/store/', { body: { data: '{}' } }),
    // @ts-expect-error a file is sent as it is
    api.put('/api/v1/upload/:id', { params: { id: 'a' }, query: { offset: 0 }, body: 'text' }),
    // @ts-expect-error without its query
    api.get('/api/v1/upload/taken/'),
    // @ts-expect-error no column of charts
    api.get('/api/v1/chart/', { q: { columns: ['slice_nam'] } }),
  ]
  expectTypeOf(calls).toBeFunction()
})

it('returns the response type of the contract', () => {
  const calls = {
    all: () => api.get('/api/v1/chart/'),
    chosen: () => api.get('/api/v1/chart/', { q: { columns: ['id', 'owners.id'] } }),
    either: () => api.get(`/api/v1/${kind}/:id`, { params: { id: 3 } }),
    made: () => api.post('/api/v1/dashboard/', { body: {} }),
    unread: () => api.send('POST', '/api/v1/chart/data', { body: {} }),
  }
  type Of<C extends () => Promise<unknown>> = Awaited<ReturnType<C>>
  expectTypeOf<Of<typeof calls.all>['result'][number]>().toEqualTypeOf<ListedChart>()
  expectTypeOf<keyof Of<typeof calls.chosen>['result'][number]>().toEqualTypeOf<'id' | 'owners'>()
  expectTypeOf<Of<typeof calls.either>['result']['certified_by']>().toEqualTypeOf<string | null>()
  expectTypeOf<Of<typeof calls.made>['id']>().toEqualTypeOf<number>()
  expectTypeOf<Of<typeof calls.unread>>().toEqualTypeOf<Response>()
})
