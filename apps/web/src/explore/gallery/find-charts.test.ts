import { galleryEntries, type GalleryEntry } from '@parquetry/charts/gallery'
import { describe, expect, it } from 'vitest'
import {
  sortByPopularity,
  findCharts,
  isInCategory,
  computeFuzzyDistance,
  listAvailableCharts,
  listGalleryCategories,
} from './find-charts.ts'

const named = (name: string, more: Partial<GalleryEntry> = {}): GalleryEntry => ({
  viz_type: name,
  name,
  category: 'KPI',
  tags: [],
  description: '',
  series: [],
  behaviors: [],
  annotated: false,
  replaces: [],
  label: null,
  labelExplanation: '',
  deprecated: false,
  exampleGallery: [],
  needs: { times: 0, columns: 0, numbers: 0, metrics: 0 },
  load: () => Promise.reject(new Error('not loaded here')),
  ...more,
})
const names = (charts: GalleryEntry[]) => charts.map(({ name }) => name)

describe('the gallery', () => {
  it('EXP-059: tolerates three errors in ten letters, but not four', () => {
    expect(computeFuzzyDistance('stacked bars', 'bars, stacked bars and lines')).toBe(0)
    expect(findCharts([named('Waterfalls')], 'Watexxxlls')).toHaveLength(1)
    expect(findCharts([named('Waterfalls')], 'Wxtexxxlls')).toHaveLength(0)
    expect(names(findCharts(galleryEntries, 'pei chart'))).toContain('Pie Chart')
  })

  it('EXP-060: weights name 4, tags 2, description 1', () => {
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

  it('EXP-062: sorts types by a fixed popularity order, then unranked ones by name', () => {
    const keys = sortByPopularity([...galleryEntries, named('b'), named('a')].toReversed()).map(
      ({ viz_type }) => viz_type,
    )
    expect(keys.slice(0, 6)).toEqual([
      'table',
      'echarts_timeseries_line',
      'echarts_timeseries_bar',
      'big_number_total',
      'big_number',
      'pie',
    ])
    // Every supported type is ranked.
    expect(keys.slice(galleryEntries.length)).toEqual(['a', 'b'])
  })

  it('EXP-063: lists the category Other last', () => {
    const charts = [named('a', { category: '' }), named('b', { category: 'Table' }), named('c', { category: 'KPI' })]
    const categories = listGalleryCategories(charts).flatMap((place) => (place.kind === 'category' ? [place.name] : []))
    expect(categories).toEqual(['KPI', 'Table', 'Other'])
    expect(isInCategory(named('a', { category: '' }), { kind: 'category', name: 'Other' })).toBe(true)
  })

  it('PERM-025: omits denied and deprecated types, except the one in use', () => {
    const charts = [named('a'), named('old', { deprecated: true }), named('b')]
    expect(names(listAvailableCharts(charts, ['a'], 'b'))).toEqual(['b'])
    expect(names(listAvailableCharts(charts, ['a'], 'a'))).toEqual(['a', 'b'])
    expect(names(listAvailableCharts(charts, [], 'old'))).toEqual(['a', 'old', 'b'])
  })
})
