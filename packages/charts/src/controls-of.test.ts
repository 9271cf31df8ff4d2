import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { controlsOf, errorsOf } from './controls-of.ts'
import { control, type ChartForm } from './define.ts'
import { drawnForm } from './query/build-query-context.ts'
import { chartEntries, openForm } from './registry.ts'
import { storedForms } from './testing/stored-forms.ts'

const schema = Type.Object({
  metrics: control(Type.Array(Type.String(), { minItems: 1 }), { label: 'Metrics', group: 'query' }),
  limit: control(Type.Integer({ default: 100 }), { label: 'Limit', group: 'query' }),
  bars: control(Type.Boolean({ default: true }), { label: 'Bars', group: 'look' }),
})
const fieldOf = (name: string, form: ChartForm) =>
  controlsOf(schema, form)
    .flatMap(({ fields }) => fields)
    .find((field) => field.name === name)
const blocking = (form: ChartForm, opened: ChartForm = {}, saved: ChartForm | null = null) =>
  errorsOf(controlsOf(schema, form), { opened, saved }).map(({ label, error }) => `${label} ${error}`)

describe('a value that does not fit', () => {
  it.each([null, false, '', []])('is no value when it is %j: nothing is said, the default counts', (limit) => {
    expect(fieldOf('limit', { limit })).toMatchObject({ error: null, counted: 100, isEmpty: true, value: limit })
    expect(blocking({ metrics: ['n'], limit })).toEqual([])
  })

  it('is kept, its control says so, and the default counts', () => {
    const error = 'is expected to be an integer'
    expect(fieldOf('limit', { limit: 'all' })).toMatchObject({ value: 'all', error, counted: 100 })
    expect(fieldOf('bars', { bars: 'maybe' })).toMatchObject({ value: 'maybe', counted: true })
    expect(fieldOf('bars', { bars: 'false' })).toMatchObject({ error: null, counted: false })
  })

  it('CTRL-002: blocks running when it was set so since the form was opened', () => {
    expect(blocking({ metrics: ['n'], limit: 1.5 }, { metrics: ['n'], limit: 10 })).toEqual([
      'Limit is expected to be an integer',
    ])
    expect(blocking({ metrics: ['n'], limit: 1.5 }, { metrics: ['n'], limit: 1.5 })).toEqual([])
  })
})

it('CTRL-002, CTRL-021: what is required and empty blocks, except in the chart as it is saved', () => {
  expect(blocking({}, {})).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: [] })).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: ['n'] }, { metrics: ['n'] })).toEqual(['Metrics cannot be empty'])
  expect(blocking({ metrics: [] }, { metrics: [] }, { metrics: [] })).toEqual([])
})

describe('regression: a stored form blocked its chart in Explore', () => {
  const stored = storedForms()

  it('has stored forms of every type', () => {
    const types = new Set(stored.map(([, { viz_type }]) => viz_type))
    for (const { viz_type, replaces } of chartEntries)
      for (const type of [viz_type, ...replaces]) expect(types).toContain(type)
  })

  it.each(stored)('%s', async (_, stored) => {
    const opened = await openForm(stored)
    const { chart, form } = opened!
    const groups = controlsOf(chart.form, form)
    expect(errorsOf(groups, { opened: form, saved: form })).toEqual([])
    const drawn = drawnForm(chart, form)
    for (const { name, counted } of groups.flatMap(({ fields }) => fields)) expect(counted, name).toEqual(drawn[name])
  })
})
