import { expect, it } from 'vitest'
import { readBarSettings, withBarSettings } from './bar-settings.ts'

it('NATF-003, DASH-045: reads the bar position and cross-filtering from the metadata; the defaults are vertical and on', () => {
  expect(readBarSettings({})).toEqual({ mode: 'at_once', orientation: 'VERTICAL', crossFilters: true })
  expect(readBarSettings({ filter_bar_orientation: 'HORIZONTAL', cross_filters_enabled: false })).toMatchObject({
    orientation: 'HORIZONTAL',
    crossFilters: false,
  })
})

it('applies filters immediately, or by button on dashboards from another tool, unless the owner chose otherwise', () => {
  expect(readBarSettings({ import_time: 1 }).mode).toBe('button')
  expect(readBarSettings({ import_time: 1, parquetry: { apply_filters: 'at_once' } }).mode).toBe('at_once')
})

it('writes only changed settings and preserves the other metadata', () => {
  const metadata = { import_time: 1, color_scheme: 'd3', parquetry: { mine: 1 } }
  expect(withBarSettings(metadata, readBarSettings(metadata))).toEqual(metadata)
  const settings = { mode: 'at_once', orientation: 'HORIZONTAL', crossFilters: false } as const
  const changed = withBarSettings(metadata, settings)
  expect(changed).toEqual({
    ...metadata,
    parquetry: { mine: 1, apply_filters: 'at_once' },
    filter_bar_orientation: 'HORIZONTAL',
    cross_filters_enabled: false,
  })
  expect(readBarSettings(changed)).toEqual(settings)
})
