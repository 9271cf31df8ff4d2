import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Superset } from './server.ts'

type Json = Record<string, unknown>
type Ids = Record<string, number>

/** The tables of the connection. */
const tables = `
create table orders (id integer, day date, region text, product text, amount real, quantity integer);
create table customers (id integer, name text, region text);
insert into orders values
  (1, '2025-01-03', 'north', 'tea', 12.5, 2), (2, '2025-01-17', 'south', 'coffee', 30, 3),
  (3, '2025-02-02', 'north', 'coffee', 20, 2), (4, '2026-01-09', 'west', 'tea', 6.25, 1);
insert into customers values (1, 'Ada', 'north'), (2, 'Grace', 'south');`

const adhoc = (label: string, aggregate: string, column: string): Json => ({
  expressionType: 'SIMPLE',
  column: { column_name: column },
  aggregate,
  label,
  hasCustomLabel: true,
  optionName: `metric_${label.replaceAll(' ', '_')}`,
})
const total = adhoc('Total', 'SUM', 'amount')
const sqlMetric = { expressionType: 'SQL', sqlExpression: 'sum(amount) / sum(quantity)', label: 'Price' }
const sqlFilter = { expressionType: 'SQL', clause: 'WHERE', sqlExpression: "region <> 'east'" }
const currency = { symbol: 'EUR', symbolPosition: 'suffix' }
const simpleFilter = {
  expressionType: 'SIMPLE',
  clause: 'WHERE',
  subject: 'product',
  operator: 'IN',
  operatorId: 'IN',
  comparator: ['tea', 'coffee'],
}

/**
 * Creates the objects of the fixtures through the API: a connection with datasets of each kind, six charts of different types that
 * refer to each other, dashboards with tabs, filters and cross-filters, a saved query, and what else the release has.
 */
export async function createObjects(superset: Superset): Promise<void> {
  createTables(superset)
  const database = await create(superset, 'database', {
    // All fixtures can be imported into one installation.
    database_name: `Shop ${superset.release} (SQLite)`,
    sqlalchemy_uri: 'sqlite:///shop.db',
    expose_in_sqllab: true,
    allow_dml: true,
    extra: JSON.stringify({ metadata_params: {}, engine_params: {}, cost_estimate_enabled: true }),
  })
  const datasets = await createDatasets(superset, database)
  const layer = await createAnnotations(superset)
  const charts = await createCharts(superset, datasets, layer)
  const boards = await createDashboards(superset, datasets, charts)
  await create(superset, 'saved_query', {
    db_id: database,
    schema: 'main',
    label: 'Orders of a region',
    description: 'With a parameter',
    sql: "select *\nfrom orders\nwhere region = '{{ region }}'\n",
  })
  await createTags(superset, { chart: charts['Total']!, dashboard: boards['Shop']! })
}

function createTables({ home }: Superset): void {
  const database = new DatabaseSync(join(home, 'shop.db'))
  database.exec(tables)
  database.close()
}

async function create({ api }: Superset, kind: string, body: Json): Promise<number> {
  return (await api.call('POST', `${kind}/`, body)).id as number
}

/** A table, a table without schema and time column, and a query with parameters and a calculated column. */
async function createDatasets(superset: Superset, database: number): Promise<Ids> {
  const { api } = superset
  const orders = await create(superset, 'dataset', { database, schema: 'main', table_name: 'orders' })
  const customers = await create(superset, 'dataset', { database, table_name: 'customers' })
  const query = "select day, region, sum(amount) as amount from orders where product <> '{{ product }}' group by 1, 2"
  const regions = await create(superset, 'dataset', {
    database,
    schema: 'main',
    table_name: 'Orders by region',
    sql: query,
  })
  const { result } = await api.call('GET', `dataset/${orders}`)
  const editable = ['id', 'column_name', 'type', 'verbose_name', 'groupby', 'filterable', 'is_active', 'is_dttm']
  const columns = (result.columns as Json[]).map((column) => ({
    ...Object.fromEntries(editable.map((name) => [name, column[name]])),
    ...(column['column_name'] === 'day' && { is_dttm: true, python_date_format: '%Y-%m-%d' }),
    ...(column['column_name'] === 'region' && {
      verbose_name: 'Region of the customer',
      extra: JSON.stringify({ certification: { certified_by: 'Sales', details: 'Checked' } }),
    }),
  }))
  await api.call('PUT', `dataset/${orders}`, {
    main_dttm_col: 'day',
    description: 'All orders',
    cache_timeout: 60,
    fetch_values_predicate: 'quantity > 0',
    extra: JSON.stringify({ certification: { certified_by: 'Sales' }, warning_markdown: 'Test data' }),
    columns: [
      ...columns,
      { column_name: 'month', expression: "strftime('%Y-%m', day)", type: 'TEXT', groupby: true, filterable: true },
    ],
    metrics: [
      { id: result.metrics[0].id, metric_name: 'count', expression: 'COUNT(*)', verbose_name: 'Number of orders' },
      {
        metric_name: 'revenue',
        expression: 'SUM(amount)',
        d3format: ',.2f',
        warning_text: 'Without returns',
        extra: JSON.stringify({ certification: { certified_by: 'Sales' } }),
        currency: superset.release.startsWith('6.') ? currency : JSON.stringify(currency),
      },
    ],
  })
  await api.call('PUT', `dataset/${regions}`, { template_params: JSON.stringify({ product: 'water' }) })
  return { orders, customers, regions }
}

async function createAnnotations(superset: Superset): Promise<number> {
  const layer = await create(superset, 'annotation_layer', { name: 'Campaigns', descr: 'Of the shop' })
  await superset.api.call('POST', `annotation_layer/${layer}/annotation/`, {
    short_descr: 'Sale',
    long_descr: 'Everything must go',
    start_dttm: '2025-01-10T00:00:00',
    end_dttm: '2025-01-20T00:00:00',
    json_metadata: '{}',
  })
  return layer
}

const annotation = (name: string, settings: Json): Json => ({
  name,
  show: true,
  style: 'solid',
  overrides: { time_range: null },
  ...settings,
})

async function createCharts(superset: Superset, datasets: Ids, layer: number): Promise<Ids> {
  const ids: Ids = {}
  const add = async (slice_name: string, viz_type: string, dataset: string, params: Json, more: Json = {}) => {
    const datasource_id = datasets[dataset]!
    const form = { datasource: `${datasource_id}__table`, viz_type, ...params }
    ids[slice_name] = await create(superset, 'chart', {
      slice_name,
      viz_type,
      datasource_id,
      datasource_type: 'table',
      params: JSON.stringify(form),
      query_context: JSON.stringify({
        datasource: { id: datasource_id, type: 'table' },
        force: false,
        queries: [{ metrics: [params['metric'] ?? 'count'], columns: params['groupby'] ?? [], row_limit: 100 }],
        form_data: form,
        result_format: 'json',
        result_type: 'full',
      }),
      ...more,
    })
    const saved = { ...form, slice_id: ids[slice_name] }
    await superset.api.call('PUT', `chart/${ids[slice_name]}`, { params: JSON.stringify(saved) })
    return ids[slice_name]
  }
  await add('Total', 'big_number_total', 'orders', { metric: total, adhoc_filters: [sqlFilter], y_axis_format: ',.1f' })
  const daily = await add('Orders per day', 'echarts_timeseries_bar', 'orders', {
    x_axis: 'day',
    time_grain_sqla: 'P1D',
    metrics: ['count'],
    groupby: [],
    adhoc_filters: [],
  })
  await add('Revenue over time', 'echarts_timeseries_line', 'orders', {
    x_axis: 'day',
    time_grain_sqla: 'P1M',
    metrics: ['revenue', sqlMetric],
    groupby: ['region'],
    adhoc_filters: [simpleFilter],
    time_compare: ['1 year ago'],
    comparison_type: 'values',
    rolling_type: 'mean',
    rolling_periods: 3,
    annotation_layers: [
      annotation('Goal', { annotationType: 'FORMULA', value: '100', sourceType: '' }),
      annotation('Campaigns', { annotationType: 'INTERVAL', sourceType: 'NATIVE', value: layer }),
      annotation('Orders', { annotationType: 'TIME_SERIES', sourceType: 'line', value: daily }),
    ],
  })
  await add(
    'Products / regions (drill)',
    'sunburst_v2',
    'orders',
    { columns: ['product', 'region', 'month'], metric: total, secondary_metric: 'count', adhoc_filters: [] },
    { description: 'Right click to drill', certified_by: 'Sales', certification_details: 'Monthly', cache_timeout: 30 },
  )
  await add('Kunden: "Größe"', 'table', 'customers', {
    query_mode: 'raw',
    all_columns: ['name', 'region'],
    order_by_cols: ['["name", true]'],
    column_config: { name: { d3NumberFormat: '.2f', horizontalAlign: 'left' } },
    adhoc_filters: [],
  })
  await add('Regions', 'pivot_table_v2', 'regions', {
    groupbyRows: ['region'],
    groupbyColumns: [{ expressionType: 'SQL', sqlExpression: 'substr(day, 1, 4)', label: 'Year' }],
    metrics: [total],
    adhoc_filters: [],
    conditional_formatting: [{ column: 'Total', operator: '>', targetValue: 10, colorScheme: '#ACE1C4' }],
  })
  return ids
}

async function createDashboards(superset: Superset, datasets: Ids, charts: Ids): Promise<Ids> {
  const { api, release } = superset
  const ids: Ids = {}
  const theme = release.startsWith('6.')
    ? await create(superset, 'theme', {
        theme_name: 'Green shop',
        json_data: JSON.stringify({ token: { colorPrimary: '#1a7f37' }, algorithm: 'default' }),
      })
    : undefined
  const save = async (dashboard_title: string, body: Json): Promise<void> => {
    const id = await create(superset, 'dashboard', { dashboard_title, owners: [1] })
    ids[dashboard_title] = id
    await api.call('PUT', `dashboard/${id}`, body)
  }
  const placed = ['Total', 'Orders per day', 'Revenue over time', 'Products / regions (drill)', 'Kunden: "Größe"']
  await save('Shop', {
    slug: `shop-${release.replaceAll('.', '-')}`,
    css: '.dashboard { color: #222 }',
    published: true,
    certified_by: 'Sales',
    certification_details: 'Monthly',
    position_json: JSON.stringify(layoutWithTabs(charts, placed)),
    json_metadata: JSON.stringify(settings(datasets, charts, placed)),
    ...(theme !== undefined && { theme_id: theme }),
  })
  await save('Regions only', {
    position_json: JSON.stringify(layoutOf(charts['Regions']!)),
    json_metadata: JSON.stringify({ positions: layoutOf(charts['Regions']!) }),
  })
  return ids
}

const node = (id: string, type: string, parents: string[], children: string[], meta?: Json): [string, Json] => [
  id,
  { id, type, parents, children, ...(meta && { meta }) },
]

/** Two tabs: charts in rows with a column, and a text beside a chart. */
function layoutWithTabs(charts: Ids, placed: readonly string[]): Json {
  const [total, daily, revenue, drill, people] = placed
  const chart = (key: string, name: string | undefined, ...parents: string[]) =>
    node(key, 'CHART', parents, [], { chartId: charts[name!], sliceName: name, width: 4, height: 50 })
  const sales = ['ROOT_ID', 'TABS-top', 'TAB-sales']
  const people_ = ['ROOT_ID', 'TABS-top', 'TAB-people']
  const text = '## Customers\n\n[Home](https://example.org) with **bold**'
  return {
    DASHBOARD_VERSION_KEY: 'v2',
    ...Object.fromEntries([
      node('ROOT_ID', 'ROOT', [], ['TABS-top']),
      node('GRID_ID', 'GRID', ['ROOT_ID'], []),
      node('HEADER_ID', 'HEADER', [], [], { text: 'Shop' }),
      node('TABS-top', 'TABS', ['ROOT_ID'], ['TAB-sales', 'TAB-people'], {}),
      node('TAB-sales', 'TAB', sales.slice(0, 2), ['ROW-a', 'ROW-b'], { text: 'Sales', defaultText: 'Tab title' }),
      node('TAB-people', 'TAB', people_.slice(0, 2), ['ROW-c'], { text: 'People' }),
      node('ROW-a', 'ROW', sales, ['COLUMN-a', 'CHART-revenue'], { background: 'BACKGROUND_TRANSPARENT' }),
      node('COLUMN-a', 'COLUMN', [...sales, 'ROW-a'], ['CHART-total', 'CHART-daily'], {
        width: 4,
        background: 'BACKGROUND_WHITE',
      }),
      chart('CHART-total', total, ...sales, 'ROW-a', 'COLUMN-a'),
      chart('CHART-daily', daily, ...sales, 'ROW-a', 'COLUMN-a'),
      chart('CHART-revenue', revenue, ...sales, 'ROW-a'),
      node('ROW-b', 'ROW', sales, ['CHART-drill'], { background: 'BACKGROUND_TRANSPARENT' }),
      chart('CHART-drill', drill, ...sales, 'ROW-b'),
      node('ROW-c', 'ROW', people_, ['MARKDOWN-a', 'CHART-people'], { background: 'BACKGROUND_TRANSPARENT' }),
      node('MARKDOWN-a', 'MARKDOWN', [...people_, 'ROW-c'], [], { code: text, width: 4, height: 50 }),
      chart('CHART-people', people, ...people_, 'ROW-c'),
    ]),
  }
}

const layoutOf = (chartId: number): Json => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ...Object.fromEntries([
    node('ROOT_ID', 'ROOT', [], ['GRID_ID']),
    node('GRID_ID', 'GRID', ['ROOT_ID'], ['ROW-a']),
    node('HEADER_ID', 'HEADER', [], [], { text: 'Regions only' }),
    node('ROW-a', 'ROW', ['ROOT_ID', 'GRID_ID'], ['CHART-a'], { background: 'BACKGROUND_TRANSPARENT' }),
    node('CHART-a', 'CHART', ['ROOT_ID', 'GRID_ID', 'ROW-a'], [], { chartId, width: 6, height: 50 }),
  ]),
})

/** Settings of a dashboard that refer to charts and datasets by id in every place that releases know. */
function settings(datasets: Ids, charts: Ids, placed: readonly string[]): Json {
  const all = placed.map((name) => charts[name]!)
  const [total, daily, revenue, drill, people] = all as [number, number, number, number, number]
  const filter = (id: string, name: string, filterType: string, column: string | undefined, dataset: string): Json => ({
    id: `NATIVE_FILTER-${id}`,
    type: 'NATIVE_FILTER',
    name,
    filterType,
    targets: column === undefined ? [{}] : [{ datasetId: datasets[dataset], column: { name: column } }],
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
    cascadeParentIds: [],
    controlValues: { enableEmptyFilter: false, multiSelect: true },
    defaultDataMask: { extraFormData: {}, filterState: {} },
    chartsInScope: all,
    tabsInScope: ['TAB-sales', 'TAB-people'],
  })
  return {
    native_filter_configuration: [
      {
        ...filter('region', 'Region', 'filter_select', 'region', 'orders'),
        scope: { rootPath: ['ROOT_ID'], excluded: [people] },
        chartsInScope: all.filter((id) => id !== people),
        tabsInScope: ['TAB-sales'],
        defaultDataMask: {
          extraFormData: { filters: [{ col: 'region', op: 'IN', val: ['north'] }] },
          filterState: { value: ['north'], label: 'north' },
        },
      },
      {
        ...filter('name', 'Customer', 'filter_select', 'name', 'customers'),
        scope: { rootPath: ['TAB-people'], excluded: [] },
        cascadeParentIds: ['NATIVE_FILTER-region'],
        chartsInScope: [people],
        tabsInScope: ['TAB-people'],
        adhoc_filters: [sqlFilter],
      },
      filter('time', 'Time', 'filter_time', undefined, 'orders'),
      {
        id: 'NATIVE_FILTER_DIVIDER-a',
        type: 'DIVIDER',
        scope: { rootPath: ['ROOT_ID'], excluded: [] },
        title: 'More',
        description: '',
      },
    ],
    chart_configuration: {
      [drill]: {
        id: drill,
        crossFilters: { scope: { rootPath: ['ROOT_ID'], excluded: [drill, total] }, chartsInScope: [daily, revenue] },
      },
      [revenue]: { id: revenue, crossFilters: { scope: 'global', chartsInScope: [daily, drill] } },
    },
    global_chart_configuration: {
      scope: { rootPath: ['ROOT_ID'], excluded: [people] },
      chartsInScope: all.filter((id) => id !== people),
    },
    timed_refresh_immune_slices: [total],
    expanded_slices: { [drill]: true },
    filter_scopes: { [total]: { region: { scope: ['ROOT_ID'], immune: [people] } } },
    default_filters: JSON.stringify({ [total]: { region: ['north'] } }),
    cross_filters_enabled: true,
    refresh_frequency: 300,
    color_scheme: 'supersetColors',
    label_colors: { north: '#1f77b4' },
    shared_label_colors: {},
    color_scheme_domain: [],
    positions: layoutWithTabs(charts, placed),
  }
}

async function createTags({ api }: Superset, objects: Record<'chart' | 'dashboard', number>): Promise<void> {
  const tagged = Object.entries(objects)
  await api.call('POST', 'tag/', { name: 'Shop', description: 'Of the shop', objects_to_tag: tagged })
  await api.call('POST', 'tag/', { name: 'north', objects_to_tag: tagged.slice(0, 1) })
}
