import { expect, it } from 'vitest'
import { isSameForm } from './draft.ts'
import { builtInDefaults, openDocument, withTimeDimension } from './open-document.ts'
import type { ExploreDocument } from './use-explore.ts'

const dataset = { id: 1, type: 'table', columns: [], metrics: [] } as unknown as ExploreDocument['dataset']
const stored = { viz_type: 'acme_gantt', entity: 'name', metric: 'count', min_leaf_node_event_count: 5 }
const slice = { slice_id: 7, slice_name: 'Words', description: null, editors: [], form_data: stored }

it('regression: opens an unsupported chart type unchanged, not as a table without its dimensions', async () => {
  const opened = await openDocument({ form_data: stored, dataset, slice, message: null }, null, null)
  expect(opened.chart.viz_type).toBe('acme_gantt')
  expect(opened.form).toEqual(stored)
  expect(opened.saved).toEqual(stored)
})

it('regression: suggests a monthly grain for three years of data', async () => {
  const timed = { ...dataset, columns: [{ column_name: 'day', is_dttm: true, type_generic: 2 }] as never }
  const document = { form_data: {}, dataset: timed, slice: null, message: null }
  const span = { from: Date.UTC(2023, 0, 1), to: Date.UTC(2026, 0, 1) }
  const { form } = await openDocument(document, null, null, async () => span)
  expect(form).toMatchObject({ x_axis: 'day', time_grain_sqla: 'P1M' })
  const loaded = { form_data: { viz_type: 'table', all_columns: ['day'] }, dataset: timed, slice: null, message: null }
  await openDocument(loaded, null, null, () => expect.unreachable('a form that asks something is not a first picture'))
})

it.each([
  ['a histogram', { viz_type: 'histogram_v2', column: 'age' }],
  ['bubbles', { viz_type: 'bubble_v2', entity: 'city', x: 'a', y: 'b', size: 'c' }],
  ['a Gantt chart', { viz_type: 'gantt_chart', start_time: 'begin', end_time: 'end', y_axis: 'task' }],
  ['a filter box', { viz_type: 'filter_box', filter_configs: [{ column: 'city' }] }],
  ['an old histogram', { viz_type: 'histogram', all_columns_x: ['age'] }],
  ['a map', { viz_type: 'deck_heatmap', spatial: { type: 'geohash', geohashCol: 'at' } }],
  ['maps over each other', { viz_type: 'deck_multi', deck_slices: [1] }],
])('regression: does not replace %s with a suggestion, as its own fields define a query', async (_, form_data) => {
  const document = { form_data, dataset, slice: null, message: null }
  const opened = await openDocument(document, null, null, () => expect.unreachable())
  expect(opened.form).toMatchObject({ ...form_data, viz_type: opened.chart.viz_type })
})

it('regression: a chart of a legacy type opens without unsaved changes', async () => {
  const old = { viz_type: 'histogram', all_columns_x: ['age'], groupby: [] }
  const document = { form_data: { ...old, slice_id: 7 }, dataset, slice: { ...slice, form_data: old }, message: null }
  const opened = await openDocument(document, null, null)
  expect(isSameForm(opened.form, opened.saved)).toBe(true)
  expect(isSameForm({ ...opened.form, bins: 9 }, opened.saved)).toBe(false)
})

const timed = { ...dataset, columns: [{ column_name: 'day', is_dttm: true, type_generic: 2 }] as never }
const fresh = { form_data: {}, dataset: timed, slice: null, message: null }

it('EXP-072, EXP-073: a suggestion uses the type in the address, else the configured one, else a guess', async () => {
  const type = async (viz_type: string | null, configured: string | null) =>
    (await openDocument(fresh, viz_type, null, undefined, { ...builtInDefaults, viz_type: configured })).chart.viz_type
  expect(await type('pie', 'echarts_area')).toBe('pie')
  expect(await type(null, 'echarts_area')).toBe('echarts_area')
  expect(await type(null, null)).toBe('echarts_timeseries_line')
  const stored = { ...fresh, form_data: { viz_type: 'table', all_columns: ['day'], query_mode: 'raw' } }
  expect(
    (await openDocument(stored, null, null, undefined, { ...builtInDefaults, viz_type: 'pie' })).chart.viz_type,
  ).toBe('table')
})

it('EXP-075, EXP-076, TIME-024, TIME-025: a suggestion uses the configured time range, else No filter', async () => {
  const range = async (defaults = builtInDefaults) =>
    (await openDocument(fresh, null, null, undefined, defaults)).form['adhoc_filters']
  expect(await range({ ...builtInDefaults, time_range: 'Last week' })).toMatchObject([
    { subject: 'day', comparator: 'Last week' },
  ])
  expect(await range()).toMatchObject([{ subject: 'day', operator: 'TEMPORAL_RANGE', comparator: 'No filter' }])
})

it('TIME-029: uses a daily grain when the time span is unknown', async () => {
  expect((await openDocument(fresh, null, null)).form).toMatchObject({ x_axis: 'day', time_grain_sqla: 'P1D' })
})

it('EXP-077, EXP-078, PERM-034: converts the time column of a legacy form into its first dimension and removes the granularity', async () => {
  const old = { viz_type: 'table', include_time: true, granularity_sqla: 'day', groupby: ['city'], metrics: ['count'] }
  expect(withTimeDimension(old)).toEqual({
    viz_type: 'table',
    include_time: true,
    groupby: ['day', 'city'],
    metrics: ['count'],
  })
  expect(withTimeDimension({ ...old, time_range: 'Last week' })).toMatchObject({
    adhoc_filters: [{ subject: 'day', operator: 'TEMPORAL_RANGE', comparator: 'Last week' }],
  })
  const inherited_settings = { time_range: { own: 'Last year', given: 'Last week' } }
  expect(withTimeDimension({ ...old, time_range: 'Last week', inherited_settings }), 'of a dashboard').toMatchObject({
    adhoc_filters: [{ comparator: 'Last week', isExtra: true, insteadOf: { subject: 'day', comparator: 'Last year' } }],
  })
  for (const as of [{ ...old, groupby: ['city', 'day'] }, { ...old, include_time: false }, { viz_type: 'table' }])
    expect(withTimeDimension(as)).toBe(as)
  const open = async (timeIsDimension: boolean) =>
    (await openDocument({ ...fresh, form_data: old }, null, null, undefined, { ...builtInDefaults, timeIsDimension }))
      .form
  expect(await open(true)).toMatchObject({ groupby: ['day', 'city'] })
  expect(await open(true)).not.toHaveProperty('granularity_sqla')
  expect(await open(false)).toMatchObject({ groupby: ['city'], granularity_sqla: 'day' })
})

it('EXP-074: opens a form without a type as a table', async () => {
  const opened = await openDocument({ form_data: { metric: 'count' }, dataset, slice: null, message: null }, null, null)
  expect(opened.chart.viz_type).toBe('table')
})

it('regression: a suggestion of the type in the address includes its dimensions', async () => {
  const columns = [
    { column_name: 'day', is_dttm: true, type_generic: 2 },
    { column_name: 'origin', is_dttm: false, type_generic: 1 },
  ]
  const document = { form_data: {}, dataset: { ...dataset, columns: columns as never }, slice: null, message: null }
  const { form } = await openDocument(document, 'pie', null)
  expect(form).toMatchObject({ viz_type: 'pie', groupby: ['origin'] })
  const numbers = ['weight', 'power', 'speed'].map((column_name) => ({ column_name, is_dttm: false, type_generic: 0 }))
  const wide = { ...document, dataset: { ...dataset, columns: [...columns, ...numbers] as never } }
  const guessed = async (type: string) => (await openDocument(wide, type, null)).form
  expect(await guessed('word_cloud')).toMatchObject({ series: 'origin' })
  expect(await guessed('histogram_v2')).toMatchObject({ column: 'weight' })
  expect(await guessed('bubble_v2')).toMatchObject({
    entity: 'origin',
    x: { label: 'SUM(weight)' },
    y: { label: 'SUM(power)' },
    size: { label: 'AVG(speed)' },
  })
  const twoNames = [...columns, { column_name: 'destination', is_dttm: false, type_generic: 1 }]
  const pairs = { ...document, dataset: { ...dataset, columns: [...twoNames, ...numbers] as never } }
  const flow = (await openDocument(pairs, 'sankey_v2', null)).form
  expect(flow).toMatchObject({ source: 'origin', target: 'destination' })
  expect(await guessed('sankey_v2')).not.toHaveProperty('target')
  expect(await guessed('tree_chart')).not.toHaveProperty('parent')
})
