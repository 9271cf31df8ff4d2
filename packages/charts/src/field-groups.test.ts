import { englishTranslator } from '@parquetry/model'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { buildFieldGroups, findBlockingErrors, resetHiddenValues } from './field-groups.ts'
import { formatValidationError } from './validate-value.ts'
import { control, type ChartForm, type Control } from './define.ts'
import { resolveForm } from './query/build-query-context.ts'
import { chartEntries, loadChart, loadStoredForm } from './registry.ts'
import { storedForms } from './testing/stored-forms.ts'

const schema = Type.Object({
  metrics: control(Type.Array(Type.String(), { minItems: 1 }), { label: 'Metrics', group: 'query' }),
  limit: control(Type.Integer({ default: 100 }), { label: 'Limit', group: 'query' }),
  bars: control(Type.Boolean({ default: true }), { label: 'Bars', group: 'look' }),
})
const findField = (name: string, form: ChartForm) =>
  buildFieldGroups(schema, form)
    .flatMap(({ fields }) => fields)
    .find((field) => field.name === name)
const blocking = (form: ChartForm, opened: ChartForm = {}, saved: ChartForm | null = null) =>
  findBlockingErrors(buildFieldGroups(schema, form), { opened, saved }).map(({ label, error }) =>
    formatValidationError(error, label, englishTranslator),
  )

describe('an invalid value', () => {
  it.each([null, false, '', []])('counts as empty if it is %j: no error, and the default applies', (limit) => {
    expect(findField('limit', { limit })).toMatchObject({ error: null, effective: 100, isEmpty: true, value: limit })
    expect(blocking({ metrics: ['n'], limit })).toEqual([])
  })

  it('stays stored, its control shows an error, and the default applies', () => {
    const error = { id: 'explore.misfit.integer' }
    expect(findField('limit', { limit: 'all' })).toMatchObject({ value: 'all', error, effective: 100 })
    expect(findField('bars', { bars: 'maybe' })).toMatchObject({ value: 'maybe', effective: true })
    expect(findField('bars', { bars: 'false' })).toMatchObject({ error: null, effective: false })
  })

  it('CTRL-002: blocks running if it was set since the form was opened', () => {
    expect(blocking({ metrics: ['n'], limit: 1.5 }, { metrics: ['n'], limit: 10 })).toEqual([
      'Limit is expected to be an integer',
    ])
    expect(blocking({ metrics: ['n'], limit: 1.5 }, { metrics: ['n'], limit: 1.5 })).toEqual([])
  })
})

it('CTRL-002, CTRL-021: empty required values block running, except in the saved chart', () => {
  expect(blocking({}, {})).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: [] })).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: ['n'] }, { metrics: ['n'] })).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: [] }, { metrics: [] })).toEqual([])
})

describe('a control hidden by an edit', () => {
  const shows = (on: string) => (form: ChartForm) => form[on] === true
  const of = (look: Partial<Control>) => control(Type.Optional(Type.Number()), { label: 'x', group: 'look', ...look })
  const chained = Type.Object({
    markers: of({}),
    size: of({ when: shows('markers') }),
    edge: of({ when: (form) => form['size'] !== undefined }),
    grain: of({ when: shows('markers'), resetOnHide: false }),
  })
  const all = { markers: true, size: 9, edge: 2, grain: 3, unknown: 'x' }

  it('CTRL-001: loses its value, as do controls that it hides in turn, unless `resetOnHide` is false', () => {
    const edited = { ...all, markers: false }
    expect(resetHiddenValues(chained, all, edited)).toEqual({ markers: false, grain: 3, unknown: 'x' })
  })

  it('leaves visible and previously hidden controls unchanged', () => {
    expect(resetHiddenValues(chained, all, { ...all, size: 1 })).toEqual({ ...all, size: 1 })
    const hidden = { ...all, markers: false }
    expect(resetHiddenValues(chained, hidden, { ...hidden, edge: 5 })).toEqual({ ...hidden, edge: 5 })
  })

  it.each(chartEntries.map(({ viz_type }) => viz_type))(
    '%s keeps its query settings when its mode changes',
    async (type) => {
      const chart = await loadChart(type)
      const properties = chart!.form.properties as Record<string, { control?: Control }>
      const lost = Object.entries(properties).filter(
        ([, { control: look }]) =>
          look?.when &&
          look.resetOnHide !== false &&
          ['time-grain', 'metrics', 'columns', 'filters'].includes(look.as ?? ''),
      )
      expect(lost.map(([name]) => name)).toEqual([])
    },
  )
})

it('CTRL-025, CTRL-026: numbers must be finite', () => {
  const numbers = Type.Object({ width: control(Type.Number(), { label: 'Width', group: 'look' }) })
  const error = (width: unknown) => buildFieldGroups(numbers, { width })[0]?.fields[0]?.error
  expect([1, -0.5, '12.5'].map(error)).toEqual([null, null, null])
  for (const value of ['12px', 'wide', Infinity, Number.NaN, {}])
    expect(error(value)?.text).toBe('{label} is expected to be a number')
})

describe('CTRL-022: entity, metrics and x-axis must not be empty', () => {
  it.each(chartEntries.map(({ viz_type }) => viz_type))('%s', async (type) => {
    const chart = await loadChart(type)
    const fields = buildFieldGroups(chart!.form, {}).flatMap((group) => group.fields)
    const requiredFields = fields.filter(
      ({ name, required }) => required && ['entity', 'metrics', 'x_axis'].includes(name),
    )
    for (const { error } of requiredFields) expect(error?.text).toBe('{label} cannot be empty')
    const entityField = fields.find(({ name }) => name === 'entity')
    if (entityField) expect(entityField.required).toBe(true)
  })
})

describe('regression: a stored form does not block its chart in Explore', () => {
  const stored = storedForms()

  it('has stored forms of every type', () => {
    const types = new Set(stored.map(([, { viz_type }]) => viz_type))
    for (const { viz_type, replaces } of chartEntries)
      for (const type of [viz_type, ...replaces]) expect(types).toContain(type)
  })

  it.each(stored)('%s', async (_, stored) => {
    const opened = await loadStoredForm(stored)
    const { chart, form } = opened!
    const groups = buildFieldGroups(chart.form, form)
    expect(findBlockingErrors(groups, { opened: form, saved: form })).toEqual([])
    const drawn = resolveForm(chart, form)
    for (const { name, effective } of groups.flatMap(({ fields }) => fields))
      expect(effective, name).toEqual(drawn[name])
  })
})

it('regression: only controls that have an effect order the axis of a bar chart', async () => {
  const { form: controls } = (await loadChart('echarts_timeseries_bar'))!
  const shown = (form: ChartForm) =>
    buildFieldGroups(controls, form, { columns: [{ column_name: 'region', is_dttm: false, type_generic: 1 }] })
      .flatMap(({ fields }) => fields)
      .filter(({ name, visible }) => visible && /^x_axis_sort(_series)?$/.test(name))
      .map(({ name }) => name)
  const form = { viz_type: 'echarts_timeseries_bar', x_axis: 'region', metrics: ['n'] }
  expect(shown(form)).toEqual(['x_axis_sort'])
  expect(shown({ ...form, groupby: ['year'] })).toEqual(['x_axis_sort_series'])
})

it('regression: a chart along an x-axis cannot be queried without one, except by the time column of older forms', async () => {
  const findErrors = async (type: string, own: ChartForm) => {
    const { form: controls } = (await loadChart(type))!
    return findBlockingErrors(buildFieldGroups(controls, { metrics: ['n'], ...own })).map(({ label, error }) =>
      formatValidationError(error, label, englishTranslator),
    )
  }
  for (const type of ['echarts_timeseries_bar', 'echarts_timeseries_line', 'rose']) {
    expect(await findErrors(type, { x_axis: null })).toEqual(['X axis cannot be empty'])
    expect(await findErrors(type, { x_axis: 'region' })).toEqual([])
    expect(await findErrors(type, { granularity_sqla: 'day' })).toEqual([])
  }
})
