import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findUnmetRequirement, readDataRequirements, countDatasetFields } from './explore/data-requirements.ts'
import { galleryEntries } from './gallery.ts'
import { loadStoredForm } from './registry.ts'
import { examples } from './views/examples.gen.ts'
import { thumbnails } from './views/thumbnails.gen.ts'

const findEntry = (viz_type: string) => galleryEntries.find((entry) => entry.viz_type === viz_type)!

describe('chart type entry', () => {
  it.each(galleryEntries.map((entry) => [entry.viz_type, entry] as const))(
    'CHART-037: %s has a name, a thumbnail, a description, tags, behaviors, a badge or none, and examples with captions',
    (viz_type, entry) => {
      expect(entry.name).toMatch(/\S/)
      expect(entry.description).toMatch(/\.$/)
      expect(typeof entry.category).toBe('string')
      expect(Object.keys(thumbnails[viz_type] ?? {})).toEqual(['light', 'dark'])
      expect(entry.exampleGallery.length).toBeGreaterThan(0)
      for (const { name, caption } of entry.exampleGallery) {
        expect(caption).toMatch(/^[A-Z]/)
        expect(Object.keys(examples[viz_type]?.[name] ?? {})).toEqual(['light', 'dark'])
      }
      expect(entry.deprecated ? 'DEPRECATED' : entry.tags.includes('Popular') ? 'FEATURED' : null).toBe(entry.label)
    },
  )

  it('CHART-038: lists its behaviors under the names of the API', async () => {
    const known = ['INTERACTIVE_CHART', 'NATIVE_FILTER', 'DRILL_TO_DETAIL', 'DRILL_BY']
    expect(new Set(galleryEntries.flatMap(({ behaviors }) => behaviors))).toEqual(new Set(known))
    for (const { viz_type, behaviors, load } of galleryEntries)
      expect((await load()).default.behaviors, viz_type).toEqual(behaviors)
    expect(findEntry('pie').behaviors).toEqual(['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'])
    expect(findEntry('filter_box').behaviors).toEqual(['NATIVE_FILTER'])
  })

  it('CHART-039: is featured when popular, deprecated when only retained for old charts', () => {
    expect(findEntry('table')).toMatchObject({ label: 'FEATURED', deprecated: false })
    expect(findEntry('compare')).toMatchObject({ label: 'DEPRECATED', deprecated: true })
    expect(findEntry('gauge_chart').label).toBeNull()
  })

  it('loads its code from its folder', async () => {
    const { default: chart } = await findEntry('gantt_chart').load()
    expect(readDataRequirements(chart)).toEqual(findEntry('gantt_chart').needs)
    expect(existsSync(new URL('./gantt/thumbnail.svg', import.meta.url))).toBe(true)
  })
})

describe('data requirements of a chart type', () => {
  const column = (column_name: string, type_generic: number) => ({
    column_name,
    type_generic,
    is_dttm: type_generic === 2,
  })
  const missing = (viz_type: string, columns: ReturnType<typeof column>[], metrics: string[] = []) =>
    findUnmetRequirement(
      findEntry(viz_type).needs,
      countDatasetFields({ columns, metrics: metrics.map((metric_name) => ({ metric_name })) }),
    )

  it('accept the row count for one metric and need a number for each further one', () => {
    expect(missing('pie', [column('shop', 1)])).toBeNull()
    expect(missing('bubble_v2', [column('shop', 1)])).toEqual({ need: 'metrics', count: 3 })
    expect(missing('bubble_v2', [column('shop', 1), column('price', 0), column('weight', 0)])).toBeNull()
    expect(missing('bubble_v2', [column('shop', 1), column('price', 0)], ['count', 'margin'])).toBeNull()
  })

  it('include times, dimensions and numbers for required settings', () => {
    expect(missing('gantt_chart', [column('start', 2), column('task', 1)])).toEqual({ need: 'times', count: 2 })
    expect(missing('gantt_chart', [column('start', 2), column('end', 2), column('task', 1)])).toBeNull()
    expect(missing('time_pivot', [column('shop', 1)])).toEqual({ need: 'times', count: 1 })
    expect(missing('histogram_v2', [column('shop', 1), column('shop_id', 0)])).toEqual({ need: 'numbers', count: 1 })
    expect(missing('heatmap_v2', [])).toMatchObject({ need: 'columns' })
  })
})

it('EXP-066: preserves every field of a chart’s form data', async () => {
  const form = {
    viz_type: 'echarts_timeseries_line',
    time_range: 'Last week',
    granularity_sqla: 'day',
    time_grain_sqla: 'P1D',
    include_time: false,
    groupby: ['shop'],
    dashboardId: 3,
    color_scheme: 'parquetry',
    linear_color_scheme: 'dawn',
    metrics: ['count'],
    adhoc_filters: [],
    row_limit: 100,
    limit: 5,
    order_desc: true,
    rolling_type: 'mean',
    rolling_periods: 7,
    min_periods: 1,
    time_compare: ['1 week ago'],
    comparison_type: 'values',
    resample_rule: '1D',
    resample_method: 'zerofill',
    annotation_layers: [],
    slice_id: 8,
    cache_timeout: 60,
    url_params: { a: '1' },
    column_config: { count: { d3NumberFormat: ',d' } },
    standardizedFormData: { controls: { metrics: ['count'], columns: ['shop'] }, memorizedFormData: [['pie', {}]] },
  }
  expect((await loadStoredForm(form))?.form).toMatchObject(form)
  expect((await loadStoredForm(JSON.stringify(form)))?.form).toMatchObject(form)
})
