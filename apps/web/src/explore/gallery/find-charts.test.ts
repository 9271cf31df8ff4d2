import { chartEntries, type ChartEntry } from '@parquetry/charts'
import { describe, expect, it } from 'vitest'
import { categoriesOf, findCharts, isAt, missOf } from './find-charts.ts'

const named = (name: string, more: Partial<ChartEntry> = {}): ChartEntry => ({
  viz_type: name,
  name,
  category: 'KPI',
  tags: [],
  description: '',
  icon: 'chart',
  series: [],
  behaviors: [],
  annotated: false,
  replaces: [],
  load: () => Promise.reject(new Error('not loaded here')),
  ...more,
})
const names = (charts: ChartEntry[]) => charts.map(({ name }) => name)

describe('the gallery', () => {
  it('EXP-059: forgives three wrong letters in ten, not four', () => {
    expect(missOf('stacked bars', 'bars, stacked bars and lines')).toBe(0)
    expect(findCharts([named('Waterfalls')], 'Watexxxlls')).toHaveLength(1)
    expect(findCharts([named('Waterfalls')], 'Wxtexxxlls')).toHaveLength(0)
    expect(names(findCharts(chartEntries, 'pei chart'))).toContain('Pie Chart')
  })

  it('EXP-060: weighs the name 4, the tags 2, the description 1', () => {
    const charts = [
      named('third', { description: 'a funnel' }),
      named('second', { tags: ['Funnel'] }),
      named('Funnel'),
      named('Funnel first', { tags: ['Funnel'] }),
    ]
    expect(names(findCharts(charts, 'funnel'))).toEqual(['Funnel first', 'Funnel', 'second', 'third'])
    const both = named('both', { tags: ['Funnel'], description: 'a funnel' })
    expect(names(findCharts([both, named('Funnel')], 'funnel'))).toEqual(['Funnel', 'both'])
  })

  it('EXP-063: lists the category Other last', () => {
    const charts = [named('a', { category: '' }), named('b', { category: 'Table' }), named('c', { category: 'KPI' })]
    expect(categoriesOf(charts)).toEqual(['KPI', 'Table', 'Other'])
    expect(isAt(named('a', { category: '' }), { kind: 'category', name: 'Other' })).toBe(true)
  })
})
