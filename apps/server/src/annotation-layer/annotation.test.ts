import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'

const layers = '/api/v1/annotation_layer/'
const day = { start_dttm: '2026-03-01T00:00:00', end_dttm: '2026-03-02T00:00:00' }

describe.each(testStores)('annotations on %s', (_name, store) => {
  let server: TestServer
  let ours: string
  let theirs: string

  const make = async (path: string, body: object) =>
    (await server.as('alpha').post(path, body)).json<{ id: number; result: Record<string, unknown> }>()
  beforeAll(async () => {
    server = await startTestServer({ store })
    const layer = async (name: string) => `${layers}${(await make(layers, { name })).id}/annotation/`
    ours = await layer('ours')
    theirs = await layer('theirs')
  })
  afterAll(() => server.close())

  it('store times in UTC, regardless of the given time zone', async () => {
    const made = await make(ours, { short_descr: 'zone', ...day, start_dttm: '2026-03-01 01:30:00.25+02:00' })
    expect(made.result['start_dttm']).toBe('Sat, 28 Feb 2026 23:30:00 GMT')
    const shown = await server.as('alpha').get(`${ours}${made.id}`)
    expect(shown.json()).toMatchObject({
      result: { start_dttm: '2026-02-28T23:30:00.250', end_dttm: '2026-03-02T00:00:00', layer: { name: 'ours' } },
    })
  })

  it.each([
    ['2026-03-01', 400, { start_dttm: ['Not a valid datetime.'] }],
    ['2026-02-30T25:00:00', 400, { start_dttm: ['Not a valid datetime.'] }],
    ['2026-04-01T00:00:00', 422, { start_dttm: ['End date must be after start date'] }],
  ])('are rejected when they begin at %s', async (start_dttm, status, message) => {
    const response = await server.as('alpha').post(ours, { short_descr: 'wrong', ...day, start_dttm })
    expect([response.statusCode, response.json()]).toEqual([status, { message }])
  })

  it('have a unique name within their layer, also after a change', async () => {
    const { id } = await make(ours, { short_descr: 'first', ...day })
    await make(ours, { short_descr: 'second', ...day })
    const taken = await server.as('alpha').put(`${ours}${id}`, { short_descr: 'second' })
    expect([taken.statusCode, taken.json()]).toEqual([
      422,
      { message: { short_descr: ['Short description must be unique for this layer'] } },
    ])
    expect(
      (await server.as('alpha').put(`${ours}${id}`, { short_descr: 'first', long_descr: 'more' })).statusCode,
    ).toBe(200)
    expect((await server.as('alpha').post(theirs, { short_descr: 'first', ...day })).statusCode).toBe(201)
  })

  it('are reachable only through their own layer', async () => {
    const { id } = await make(ours, { short_descr: 'hidden', ...day })
    const statuses = await Promise.all([
      server.as('alpha').get(`${theirs}${id}`),
      server.as('alpha').put(`${theirs}${id}`, { long_descr: 'x' }),
      server.as('alpha').delete(`${theirs}${id}`),
      server.as('alpha').delete(`${theirs}?q=!(${id})`),
    ])
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    const names = async (path: string) =>
      (await server.as('alpha').get(path))
        .json<{ result: { short_descr: string }[] }>()
        .result.map((row) => row.short_descr)
    expect(await names(ours)).toContain('hidden')
    expect(await names(theirs)).not.toContain('hidden')
  })

  it('can be filtered by id, which _info does not announce', async () => {
    const { id } = await make(ours, { short_descr: 'by id', ...day })
    const q = JSON.stringify({ filters: [{ col: 'id', opr: 'in', value: [id] }] })
    const found = (await server.as('alpha').get(`${ours}?q=${encodeURIComponent(q)}`)).json<{ ids: number[] }>()
    expect(found.ids).toEqual([id])
    const info = (await server.as('alpha').get(`${layers}_info`)).json<{ filters: object }>()
    expect(Object.keys(info.filters)).not.toContain('id')
  })

  it('regression: list their columns and those of layers in the order of the API', async () => {
    interface ResourceInfo {
      list_columns: string[]
      order_columns: string[]
      show_columns: string[]
    }
    const layer = await make(layers, { name: 'columns' })
    const path = `${layers}${layer.id}/annotation/`
    const { id } = await make(path, { short_descr: 'a', ...day })
    const fetchInfo = async (url: string) => (await server.as('alpha').get(url)).json<ResourceInfo>()
    expect((await fetchInfo(`${layers}${layer.id}`)).show_columns).toEqual(['id', 'name', 'descr'])
    expect((await fetchInfo(`${path}${id}`)).show_columns).toEqual(
      'id short_descr long_descr start_dttm end_dttm json_metadata layer.id layer.name'.split(' '),
    )
    const listed = await fetchInfo(`${path}?q=(order_column:created_by.first_name,order_direction:asc)`)
    expect(listed.list_columns.slice(0, 3)).toEqual(['id', 'changed_by.first_name', 'changed_by.id'])
    expect(listed.order_columns).toEqual(
      'changed_by.first_name changed_on_delta_humanized created_by.first_name end_dttm long_descr short_descr start_dttm'.split(
        ' ',
      ),
    )
  })

  it('prevent their layer from being deleted while they exist', async () => {
    const layer = await make(layers, { name: 'held' })
    const { id } = await make(`${layers}${layer.id}/annotation/`, { short_descr: 'a', ...day })
    const held = await server.as('alpha').delete(`${layers}${layer.id}`)
    expect([held.statusCode, held.json()]).toEqual([422, { message: 'Annotation layer has associated annotations.' }])
    expect((await server.as('alpha').delete(`${layers}${layer.id}/annotation/?q=!(${id})`)).json()).toEqual({
      message: 'Deleted 1 annotation',
    })
    expect((await server.as('alpha').delete(`${layers}${layer.id}`)).statusCode).toBe(200)
  })
})
