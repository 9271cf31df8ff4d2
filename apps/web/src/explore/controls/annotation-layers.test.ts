import type { AnnotationLayer } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { validateLayer, newLayer, withLayerDefaults, withOverride, withSource } from './annotation-layers.ts'

const table: AnnotationLayer = {
  ...newLayer,
  name: 'Launches',
  annotationType: 'INTERVAL',
  sourceType: 'table',
  value: 7,
  timeColumn: 'from',
  intervalEndColumn: 'to',
  titleColumn: 'what',
  overrides: { time_range: null },
}

describe('an annotation layer', () => {
  it('is valid with a unique name, a source, and the required time columns', () => {
    expect(validateLayer(table, ['Others'])).toEqual({})
    expect(validateLayer(newLayer, [])).toEqual({ name: 'required', value: 'required' })
    expect(validateLayer({ ...table, name: ' Others ' }, ['Others'])).toEqual({ name: 'taken' })
    expect(validateLayer({ ...table, timeColumn: '', intervalEndColumn: null }, [])).toEqual({
      timeColumn: 'required',
      intervalEndColumn: 'required',
    })
    expect(validateLayer({ ...table, annotationType: 'EVENT', intervalEndColumn: '' }, [])).toEqual({})
    const formula = (value: string) => validateLayer({ ...newLayer, name: 'F', value }, [])
    expect([formula('2x'), formula('2 +')]).toEqual([{}, { value: 'formula' }])
  })

  it('CHART-029: keeps a source that the new type also supports, and drops settings of another source', () => {
    expect(withSource(table, 'EVENT')).toEqual({ ...table, annotationType: 'EVENT' })
    const native = withSource(table, 'INTERVAL', 'NATIVE')
    expect(native).toMatchObject({ name: 'Launches', sourceType: 'NATIVE', value: '', overrides: {} })
    expect(native).not.toHaveProperty('timeColumn')
    expect(withSource(table, 'TIME_SERIES')).toMatchObject({ sourceType: 'line', value: '' })
    expect(withSource(table, 'FORMULA')).toMatchObject({ sourceType: '', value: '' })
    expect(withSource(newLayer, 'EVENT')).toMatchObject({ annotationType: 'EVENT', sourceType: 'NATIVE' })
  })

  it("stores null to use the chart's own value, and removes the key for undefined", () => {
    expect(withOverride(table, 'time_grain_sqla', null).overrides).toEqual({ time_range: null, time_grain_sqla: null })
    expect(withOverride(table, 'time_range', undefined).overrides).toEqual({})
    expect(withOverride({ ...table, overrides: null }, 'time_shift', '1 week').overrides).toEqual({
      time_shift: '1 week',
    })
  })

  it('preserves keys of other tools and defaults to a solid line when opened', () => {
    const stored = { name: 'a', annotationType: 'EVENT' as const, theirs: 1 }
    expect(withLayerDefaults(stored)).toMatchObject({ ...stored, style: 'solid', show: true })
  })
})
