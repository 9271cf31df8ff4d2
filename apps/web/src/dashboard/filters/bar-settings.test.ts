import { expect, it } from 'vitest'
import { readBarSettings, withBarSettings } from './bar-settings.ts'

it('NATF-003, DASH-045: a dashboard says where its bar stands and whether charts filter each other; vertical, and they do', () => {
  expect(readBarSettings({})).toEqual({ mode: 'at_once', orientation: 'VERTICAL', crossFilters: true })
  expect(readBarSettings({ filter_bar_orientation: 'HORIZONTAL', cross_filters_enabled: false })).toMatchObject({
    orientation: 'HORIZONTAL',
    crossFilters: false,
  })
})

it('filters take effect at once, by a button where another tool made the dashboard, and as the owner says before both', () => {
  expect(readBarSettings({ import_time: 1 }).mode).toBe('button')
  expect(readBarSettings({ import_time: 1, parquetry: { apply_filters: 'at_once' } }).mode).toBe('at_once')
})

it('writes what was changed, and leaves the rest of the metadata as it was', () => {
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
