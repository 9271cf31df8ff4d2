import type { AnnotationData } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { buildSpecContext } from '../../spec-context.ts'
import { toFrames, type FixtureColumn } from '../../testing/frames.ts'
import { annotationSeries, type AnnotatedPlot } from './series.ts'

const day = 86_400_000
const days: FixtureColumn = { name: 'day', kind: 'time', values: [0, day, 2 * day] }
const ground = (x: FixtureColumn, axis: AnnotatedPlot['axis']): AnnotatedPlot => ({
  frame: toFrames({ rows: [x, { name: 'sales', values: [1, 2, 3] }] }).rows!,
  x: x.name,
  axis,
  colors: [],
})
const drawn = (layer: object, data: AnnotationData | null = null, on = ground(days, 'time')) => {
  const annotations: Record<string, AnnotationData> = data ? { Layer: data } : {}
  return annotationSeries([{ name: 'Layer', show: true, ...layer }], on, buildSpecContext({}, { annotations }))
}
const marks = (...args: Parameters<typeof drawn>) => drawn(...args).flatMap(({ data }) => data as object[])

describe('CHART-029: a FORMULA', () => {
  const formula = (value: unknown) => ({ annotationType: 'FORMULA', value })
  it('uses milliseconds on a time axis, and the value on others', () => {
    expect(marks(formula(`x / ${day} + 1`))).toEqual([
      [0, 1],
      [day, 2],
      [2 * day, 3],
    ])
    const numbers = ground({ name: 'n', values: [5, 7, 11] }, 'category')
    expect(marks(formula('2x'), null, numbers)).toEqual([
      ['5', 10],
      ['7', 14],
      ['11', 22],
    ])
  })
  it('is drawn on an axis of names only if it is constant', () => {
    const names = ground({ name: 'city', values: ['Bonn', 'Köln', null] }, 'category')
    expect(marks(formula('50'), null, names)).toEqual([
      ['Bonn', 50],
      ['Köln', 50],
      [null, 50],
    ])
    expect(drawn(formula('x > 5 ? 1 : 0'), null, names)).toEqual([])
  })
  it('is not drawn where it is invalid or undefined', () => {
    expect(drawn(formula('2 +'))).toEqual([])
    expect(drawn(formula(null))).toEqual([])
    expect(drawn(formula('sqrt(-1 - x)'))).toEqual([])
    expect(marks(formula(`1 / (x - ${day})`))[1]).toEqual([day, null])
  })
})

describe('CHART-029: a TIME_SERIES', () => {
  const line = { annotationType: 'TIME_SERIES', sourceType: 'line' }
  it('has its own x values, and the name of its layer if it is a single line', () => {
    const [one] = drawn(line, {
      records: [
        { __timestamp: 0, n: 4 },
        { __timestamp: 3 * day, n: null },
      ],
    })
    expect(one).toMatchObject({
      name: 'Layer',
      data: [
        [0, 4],
        [3 * day, null],
      ],
    })
    const both = drawn(line, { records: [{ t: 0, a: 1, b: 2, word: 'x' }] })
    expect(both.map(({ name }) => name)).toEqual(['Layer, a', 'Layer, b'])
  })
  it('is aligned with the names of a category axis', () => {
    const names = ground({ name: 'city', values: ['Bonn', 'Köln', 'Trier'] }, 'category')
    const records = [
      { city: 'Trier', n: 3 },
      { city: 'Bonn', n: 1 },
    ]
    expect(marks(line, { records }, names)).toEqual([
      ['Bonn', 1],
      ['Köln', null],
      ['Trier', 3],
    ])
  })
  it('is not drawn without rows or without a response', () => {
    expect([drawn(line, { records: [] }), drawn(line)]).toEqual([[], []])
  })
  it('can hide its line and show markers', () => {
    const [one] = drawn({ ...line, hideLine: true, showMarkers: true }, { records: [{ t: 0, n: 1 }] })
    expect(one).toMatchObject({ lineStyle: { width: 0 }, showSymbol: true })
  })
})

const crisis = { start_dttm: day, end_dttm: 2 * day, short_descr: 'Crisis', long_descr: 'long', json_metadata: null }
describe('CHART-029: EVENT and INTERVAL', () => {
  it('CHART-030: read the columns of the API in native layers', () => {
    const layer = { sourceType: 'NATIVE', timeColumn: 'nonsense' }
    expect(marks({ ...layer, annotationType: 'EVENT' }, { records: [crisis] })).toEqual([
      { at: day, title: 'Crisis', text: 'long' },
    ])
    expect(marks({ ...layer, annotationType: 'INTERVAL' }, { records: [crisis] })).toEqual([
      { at: day, to: 2 * day, title: 'Crisis', text: 'long' },
    ])
  })
  it('read the columns set in the layer of a table, sorted, with swapped ends if the end comes first', () => {
    const records = [
      { from: 5, to: 9, what: 'b', who: 'me', where: null },
      { from: '1970-01-01T00:00:00.004', to: 2, what: null, who: 'you', where: 'here' },
      { from: null, to: 3, what: 'gone' },
    ]
    const layer = {
      annotationType: 'INTERVAL',
      sourceType: 'table',
      timeColumn: 'from',
      intervalEndColumn: 'to',
      titleColumn: 'what',
      descriptionColumns: ['who', 'where'],
    }
    expect(marks(layer, { records })).toEqual([
      { at: 2, to: 4, title: 'Layer', text: 'you, here' },
      { at: 5, to: 9, title: 'b', text: 'me' },
    ])
  })
  it('are not drawn on an axis of names', () => {
    const names = ground({ name: 'city', values: ['Bonn', 'Köln', 'Trier'] }, 'category')
    expect(drawn({ annotationType: 'EVENT', sourceType: 'NATIVE' }, { records: [crisis] }, names)).toEqual([])
  })
})

describe('a layer', () => {
  it('uses its style; invalid values count as not set', () => {
    const style = (more: object) => drawn({ annotationType: 'FORMULA', value: '1', ...more })[0]
    expect(style({ style: 'longDashed', opacity: 'opacityLow', width: '3', color: '#ff0000' })).toMatchObject({
      color: '#ff0000',
      lineStyle: { type: [12, 5], opacity: 0.2, width: 3 },
    })
    expect(style({ style: 'wavy', opacity: 7, width: 'wide', color: 'url(x)' })?.lineStyle).toEqual({
      type: 'solid',
      opacity: 1,
      width: 1,
    })
    expect(style({ color: 'url(x)' })?.color).toBe(style({})?.color)
  })
  it('is ignored when hidden or invalid', () => {
    expect(drawn({ annotationType: 'FORMULA', value: '1', show: false })).toEqual([])
    const context = buildSpecContext({})
    expect(annotationSeries([null, 5, 'x', {}, { name: 'a' }], ground(days, 'time'), context)).toEqual([])
    expect(annotationSeries({ 0: 'x' }, ground(days, 'time'), context)).toEqual([])
  })
  it('has no data when its name is that of an Object.prototype property', () => {
    const layers = [{ name: 'constructor', annotationType: 'EVENT', sourceType: 'NATIVE' }]
    expect(annotationSeries(layers, ground(days, 'time'), buildSpecContext({}))).toEqual([])
  })
  it('avoids the colors of the data and of other layers', () => {
    const layer = (name: string) => ({ name, annotationType: 'FORMULA', value: '1' })
    const colors = (taken: string[]) =>
      annotationSeries(
        [layer('A'), layer('B'), layer('A ')],
        { ...ground(days, 'time'), colors: taken },
        buildSpecContext({}),
      ).map(({ color }) => color as string)
    const alone = colors([])
    expect(new Set(alone).size).toBe(3)
    expect(colors(alone.slice(0, 2)).every((color) => !alone.slice(0, 2).includes(color))).toBe(true)
  })
})
