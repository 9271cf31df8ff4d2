import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from './chart/testing.ts'
import type { TestUser } from './testing.ts'

let cars: CarsServer
let chart: number
let dashboard: number
/** Id of the signed-in user. */
let me: number

beforeAll(async () => {
  cars = await startCarsServer()
  me = (await call('GET', '/api/v1/me/')).body.result.id
  chart = (await call('POST', '/api/v1/chart/', aChart('Cars by origin'))).body.id
  dashboard = (await call('POST', '/api/v1/dashboard/', { dashboard_title: 'Cars' })).body.id
})
afterAll(() => cars.close())

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client would read them
type Body = any
const call = async (method: string, path: string, body?: object, user: TestUser = 'admin') => {
  const response = await cars.server.as(user, 'session').send(method, path, {
    ...(body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const isJson = String(response.headers['content-type'] ?? '').includes('json')
  return { status: response.statusCode, body: (isJson ? response.json() : response.body) as Body }
}
const q = (rison: string) => `?q=${encodeURIComponent(rison)}`

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const createForm = () => ({ viz_type: 'pie', datasource: `${cars.dataset}__table`, metric: count, groupby: ['Origin'] })
const aChart = (slice_name: string) => ({
  slice_name,
  viz_type: 'pie',
  datasource_id: cars.dataset,
  datasource_type: 'table',
  params: JSON.stringify(createForm()),
  query_context: JSON.stringify({ datasource: { id: cars.dataset, type: 'table' }, queries: [] }),
})

describe('API-034, API-035, API-036, API-039, API-040, API-041, API-042, API-065, API-066, API-067, API-099, API-100: legacy calls', () => {
  describe.each([
    ['dashboard', 'API-034', 'API-035', 'API-036', () => dashboard],
    ['chart', 'API-065', 'API-066', 'API-067', () => chart],
  ])('API-034, API-035, API-036, API-065, API-066, API-067: favorites of a %s', (resource, status, add, remove, id) => {
    const isFavourite = async () =>
      (await call('GET', `/api/v1/${resource}/favorite_status/${q(`!(${id()})`)}`)).body.result as unknown
    const path = () => `/api/v1/${resource}/${id()}/favorites/`

    it(`${status}: entries with id and value for a list of ids`, async () => {
      expect(await isFavourite()).toEqual([{ id: id(), value: false }])
    })
    it(`${add}: POST adds it, without a body`, async () => {
      expect((await call('POST', path())).status).toBe(200)
      expect(await isFavourite()).toEqual([{ id: id(), value: true }])
    })
    it(`${remove}: DELETE takes it back`, async () => {
      expect((await call('DELETE', path())).status).toBe(200)
      expect(await isFavourite()).toEqual([{ id: id(), value: false }])
    })
  })

  describe('PUT and POST of a dashboard', () => {
    const put = (body: object) => call('PUT', `/api/v1/dashboard/${dashboard}`, body)
    const readStored = async () => (await call('GET', `/api/v1/dashboard/${dashboard}`)).body.result
    const metadata = async () => JSON.parse((await readStored()).json_metadata)

    it('API-037: publishes, and returns the changed fields', async () => {
      const { status, body } = await put({ published: true })
      expect([status, body.result]).toEqual([200, { published: true }])
      expect((await readStored()).published).toBe(true)
    })

    it('API-038: saves title, slug, css, certification, owners, roles and metadata', async () => {
      const saved = {
        certified_by: 'Ada',
        certification_details: 'checked',
        css: '.a { color: red }',
        dashboard_title: 'All cars',
        slug: 'all-cars',
        owners: [me],
        roles: [],
        json_metadata: JSON.stringify({ refresh_frequency: 30 }),
      }
      const { status, body } = await put(saved)
      expect(status).toBe(200)
      expect(body.result).toMatchObject({ dashboard_title: 'All cars', slug: 'all-cars' })
      const { json_metadata, owners, roles: _, ...fields } = saved
      expect(await readStored()).toMatchObject({ ...fields, owners: [{ id: owners[0] }] })
      expect(await metadata()).toMatchObject(JSON.parse(json_metadata))
    })

    it.each([
      ['API-039', 'chart configuration', { chart_configuration: { 7: { id: 7, crossFilters: { scope: 'global' } } } }],
      ['API-040', 'orientation of the filter bar', { filter_bar_orientation: 'HORIZONTAL' }],
      ['API-041', 'whether cross-filters are on', { cross_filters_enabled: false }],
      [
        'API-042',
        'native filters',
        { native_filter_configuration: [{ id: 'NATIVE_FILTER-a', name: 'A', targets: [{}] }] },
      ],
    ])(
      'API-039, API-040, API-041, API-042 (%s): stores the %s in json_metadata, and returns it with the time of the change',
      async (_, __, setting) => {
        const { status, body } = await put({ json_metadata: JSON.stringify({ ...(await metadata()), ...setting }) })
        expect(status).toBe(200)
        expect(JSON.parse(body.result.json_metadata)).toMatchObject(setting)
        expect(body.last_modified_time).toEqual(expect.any(Number))
        expect(await metadata()).toMatchObject(setting)
      },
    )

    it('API-043: returns the dashboard by id and by slug', async () => {
      const { body } = await call('GET', '/api/v1/dashboard/all-cars')
      expect(body.result).toMatchObject({ id: dashboard, dashboard_title: 'All cars' })
    })

    it('API-044: creates a dashboard with a title', async () => {
      const { status, body } = await call('POST', '/api/v1/dashboard/', { dashboard_title: 'Another' })
      expect(status).toBe(201)
      expect((await call('GET', `/api/v1/dashboard/${body.id}`)).body.result.dashboard_title).toBe('Another')
    })

    it('API-045: copies under a new title, with separate css and metadata', async () => {
      const { status, body } = await call('POST', `/api/v1/dashboard/${dashboard}/copy/`, {
        dashboard_title: 'Copied',
        css: '.b {}',
        duplicate_slices: false,
        json_metadata: JSON.stringify({ refresh_frequency: 60, positions: {} }),
      })
      expect(status).toBe(200)
      const copy = (await call('GET', `/api/v1/dashboard/${body.result.id}`)).body.result
      expect(copy).toMatchObject({ dashboard_title: 'Copied', css: '.b {}' })
      expect(copy.id).not.toBe(dashboard)
    })

    it("API-046: lists the owner's dashboards for legacy clients", async () => {
      const { status, body } = await call('GET', `/dashboardasync/api/read?_flt_0_owners=${me}`)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain('All cars')
    })

    it('API-102: DELETE deletes the dashboard', async () => {
      const { body } = await call('POST', '/api/v1/dashboard/', { dashboard_title: 'Gone' })
      expect((await call('DELETE', `/api/v1/dashboard/${body.id}`)).status).toBe(200)
      expect((await call('GET', `/api/v1/dashboard/${body.id}`)).status).toBe(404)
    })
  })

  describe('charts', () => {
    it('API-061: POST creates a chart with dashboards and owners', async () => {
      const sent = { ...aChart('New one'), dashboards: [dashboard], owners: [me] }
      const { status, body } = await call('POST', '/api/v1/chart/', sent)
      expect(status).toBe(201)
      const { result } = (await call('GET', `/api/v1/chart/${body.id}`)).body
      expect(result).toMatchObject({ slice_name: 'New one', viz_type: 'pie', params: sent.params })
      expect(result.query_context).toBe(sent.query_context)
      expect(result.owners).toMatchObject([{ id: me }])
      expect(result.dashboards).toMatchObject([{ id: dashboard }])
    })

    it('API-062: PUT updates a chart with the same payload', async () => {
      const sent = { ...aChart('Renamed'), viz_type: 'table', dashboards: [dashboard] }
      expect((await call('PUT', `/api/v1/chart/${chart}`, sent)).status).toBe(200)
      const { result } = (await call('GET', `/api/v1/chart/${chart}`)).body
      expect(result).toMatchObject({ slice_name: 'Renamed', viz_type: 'table', dashboards: [{ id: dashboard }] })
    })

    it('API-063: returns only the dashboards when only they are requested', async () => {
      const { body } = await call('GET', `/api/v1/chart/${chart}${q('(columns:!(dashboards.id))')}`)
      expect(body.result).toEqual({ dashboards: [{ id: dashboard }] })
    })

    it('API-064: filters by part of the name, excluded type and owner, sorts, and returns pages of 200', async () => {
      const list = async (filters: string) => {
        const rison = `(columns:!(id,slice_name),filters:!(${filters}),order_column:slice_name,order_direction:asc,page:0,page_size:200)`
        return (await call('GET', `/api/v1/chart/${q(rison)}`)).body.result as { slice_name: string }[]
      }
      const own = `(col:owners,opr:rel_m_m,value:${me})`
      const noBox = '(col:viz_type,opr:neq,value:filter_box)'
      expect((await list(`${own},${noBox}`)).map(({ slice_name }) => slice_name)).toEqual(['New one', 'Renamed'])
      expect(await list(`(col:slice_name,opr:chart_all_text,value:renam),${own}`)).toMatchObject([
        { slice_name: 'Renamed' },
      ])
    })
  })

  describe('form data and permalinks', () => {
    const formDataBody = (form: object) => ({
      datasource_id: cars.dataset,
      datasource_type: 'table',
      form_data: JSON.stringify(form),
    })
    let key: string

    it('API-078: POST stores form data for a tab and returns its key', async () => {
      const { status, body } = await call('POST', '/api/v1/explore/form_data?tab_id=1', {
        ...formDataBody(createForm()),
        chart_id: chart,
      })
      expect(status).toBe(201)
      key = body.key
      const { form_data } = (await call('GET', `/api/v1/explore/form_data/${key}`)).body
      expect(JSON.parse(form_data)).toEqual(createForm())
    })

    it('API-079: PUT replaces the form data and returns a message', async () => {
      const next = { ...createForm(), groupby: ['Cylinders'] }
      const { status, body } = await call('PUT', `/api/v1/explore/form_data/${key}?tab_id=1`, {
        ...formDataBody(next),
        chart_id: chart,
      })
      expect(status).toBe(200)
      expect(body.message).toEqual(expect.any(String))
      const { form_data } = (await call('GET', `/api/v1/explore/form_data/${body.key}`)).body
      expect(JSON.parse(form_data)).toEqual(next)
    })

    it('API-080: creates a permalink from form data and URL parameters', async () => {
      const { status, body } = await call('POST', '/api/v1/explore/permalink', {
        formData: createForm(),
        urlParams: [['from', 'mail']],
      })
      expect(status).toBe(201)
      expect(body.url).toMatch(/\/superset\/explore\/p\/[\w-]{11,}\/$/)
      const { state } = (await call('GET', `/api/v1/explore/permalink/${body.key}`)).body
      expect(state).toMatchObject({ formData: createForm(), urlParams: [['from', 'mail']] })
    })
  })

  it('API-076: resolves a time range to since and until', async () => {
    const { body } = await call('GET', `/api/v1/time_range/${q("'2024-01-01 : 2024-02-01'")}`)
    expect(body.result).toMatchObject({ since: '2024-01-01T00:00:00', until: '2024-02-01T00:00:00' })
  })

  it('API-077: converts values of an advanced data type', async () => {
    const { status, body } = await call('GET', `/api/v1/advanced_data_type/convert${q('(type:port,values:!(http))')}`)
    expect(status).toBe(200)
    expect(body.result).toMatchObject({ display_value: '[80]', error_message: '', values: [[80]] })
    expect(body.result.valid_filter_operators.length).toBeGreaterThan(0)
  })

  describe('log of client events', () => {
    const send = (events: object[]) =>
      cars.server.as('admin', 'session').send('POST', `/superset/log/?explode=events&slice_id=${chart}`, {
        payload: new URLSearchParams({ events: JSON.stringify(events) }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })

    it('API-085: accepts events in batches, and stores each as a row with its object', async () => {
      const events = ['mount_explorer', 'load_chart'].map((event_name) => ({ event_name, ts: Date.now() }))
      const { statusCode, body } = await send(events)
      expect([statusCode, body]).toEqual([200, ''])
      const actions = async () => {
        const rison = `(filters:!((col:slice_id,opr:eq,value:${chart})),page_size:50)`
        const { result } = (await call('GET', `/api/v1/log/${q(rison)}`)).body
        return (result as { action: string }[]).map(({ action }) => action)
      }
      await expect.poll(actions).toEqual(expect.arrayContaining(['mount_explorer', 'load_chart']))
    })

    it('LOG-003: accepts at most 1024 events per batch', async () => {
      const batch = (length: number) => Array.from({ length }, () => ({ event_name: 'spinner_shown' }))
      expect((await send(batch(1024))).statusCode).toBe(200)
      expect((await send(batch(1025))).statusCode).toBe(400)
    })
  })

  describe.each(['chart', 'dashboard', 'css_template'])('calls of every resource: %s', (resource) => {
    const view = { chart: 'Chart', dashboard: 'Dashboard', css_template: 'CssTemplate' }[resource]!
    const body = {
      chart: () => aChart('Of all'),
      dashboard: () => ({ dashboard_title: 'Of all' }),
      css_template: () => ({ template_name: 'Of all', css: '.c {}' }),
    }[resource]!
    const name = { chart: 'slice_name', dashboard: 'dashboard_title', css_template: 'template_name' }[resource]!
    let id: number

    it('API-089: POST creates an object and returns id and result', async () => {
      const { status, body: made } = await call('POST', `/api/v1/${resource}/`, body())
      expect(status).toBe(201)
      expect(made).toMatchObject({ id: expect.any(Number) as number, result: body() })
      id = made.id
    })

    it('API-088: GET returns it', async () => {
      expect((await call('GET', `/api/v1/${resource}/${id}`)).body.result).toMatchObject({ [name]: 'Of all' })
    })

    it('API-090: PUT updates it', async () => {
      expect((await call('PUT', `/api/v1/${resource}/${id}`, { [name]: 'Changed' })).status).toBe(200)
      expect((await call('GET', `/api/v1/${resource}/${id}`)).body.result).toMatchObject({ [name]: 'Changed' })
    })

    it('API-087: filters, sorts and paginates the list, and returns the total count', async () => {
      const rison = `(order_column:${name},order_direction:asc,page:0,page_size:1,filters:!((col:${name},opr:eq,value:Changed)))`
      const { body: listed } = await call('GET', `/api/v1/${resource}/${q(rison)}`)
      expect(listed).toMatchObject({ count: 1, result: [{ [name]: 'Changed' }] })
    })

    it('API-086: _info returns the permissions of the caller', async () => {
      const { body: info } = await call('GET', `/api/v1/${resource}/_info${q('(keys:!(permissions))')}`)
      expect(info.permissions).toEqual(expect.arrayContaining(['can_read', 'can_write']))
      expect(view).not.toBe('')
    })
  })

  describe.each([
    ['API-099', 'dashboard', () => dashboard],
    ['API-100', 'chart', () => chart],
  ])('API-099, API-100 (%s): recent, edited and owned', (_, resource, id) => {
    it.each([
      ['owned', () => `(col:owners,opr:rel_m_m,value:${me})`],
      ['edited', () => `(col:changed_by,opr:rel_o_m,value:${me})`],
    ])('lists the five latest that the caller has %s', async (__, filter) => {
      const rison = `(filters:!(${filter()}),order_column:changed_on_delta_humanized,order_direction:desc,page:0,page_size:5)`
      const { status, body } = await call('GET', `/api/v1/${resource}/${q(rison)}`)
      expect(status).toBe(200)
      const times = (body.result as { changed_on_utc: string }[]).map(({ changed_on_utc }) => changed_on_utc)
      expect(times.length).toBeGreaterThan(0)
      expect(times.length).toBeLessThanOrEqual(5)
      expect(times).toEqual(times.toSorted().toReversed())
      const whole = `(filters:!(${filter()}),page_size:100)`
      const all = (await call('GET', `/api/v1/${resource}/${q(whole)}`)).body.result as { id: number }[]
      expect(all.map((each) => each.id)).toContain(id())
    })
  })
})
