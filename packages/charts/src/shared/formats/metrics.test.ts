import { describe, expect, it } from 'vitest'
import type { ChartForm } from '../../define.ts'
import line from '../../line/chart.ts'
import { buildSpecContext } from '../../spec-context.ts'
import mixed from '../../mixed/chart.ts'
import { applyDefaults } from '../../read-form.ts'
import { loadFamilies } from '../../resolve/families/load.ts'
import { resolveSpec } from '../../resolve/resolve-spec.ts'
import { themes } from '../../resolve/theme.ts'
import { englishTranslator } from '../../resolve/text.ts'
import { toFrames } from '../../testing/frames.ts'
import { formatter, withCurrency } from './format.ts'
import { commonFormat } from './metrics.ts'

const euro = { symbol: 'EUR', symbolPosition: 'prefix' } as const
const dollar = { symbol: 'USD', symbolPosition: 'suffix' } as const
const dataset = {
  column_formats: { rate: ',.1%' },
  currency_formats: { revenue: euro, cost: dollar },
}

describe('formats of several metrics', () => {
  it('replaces the currency of a metric', () => {
    expect(formatter(withCurrency(withCurrency(',.2f', euro), dollar))(5)).toBe('5.00 $')
  })

  it.each([
    [['currency:EUR:prefix:,.2f', 'currency:EUR:prefix:,.2f'], 'currency:EUR:prefix:,.2f'],
    [['currency:EUR:prefix:,.2f', ',.2f'], ',.2f'],
    [['currency:EUR:prefix:,.2f', 'currency:USD:suffix:,.2f'], ',.2f'],
    [[',.1%', 'SMART_NUMBER'], 'SMART_NUMBER'],
    [[], 'SMART_NUMBER'],
  ])('%j have %s in common', (formats, common) => {
    expect(commonFormat(formats)).toBe(common)
  })

  const at = [0, 1].map((day) => day * 86_400_000)
  const frames = (...names: string[]) => {
    const columns = [
      { name: 'at', kind: 'time' as const, values: at },
      ...names.map((name, i) => ({ name, values: [10 * (i + 1), 20 * (i + 1)] })),
    ]
    return toFrames({ series: columns })
  }
  type Drawn = { yAxis: { format: string } | { format: string }[]; series: { name: string; format?: string }[] }
  const lineOf = (metrics: string[], more: ChartForm = {}) => {
    const form = applyDefaults(line.form, { x_axis: 'at', metrics, ...more })
    return line.spec(frames(...metrics), form, buildSpecContext(form, { dataset })) as unknown as Drawn
  }

  it('uses the currency of the only metric on its axis', () => {
    expect(lineOf(['revenue']).yAxis).toMatchObject({ format: 'currency:EUR:prefix:SMART_NUMBER' })
  })

  it('does not format metrics in the unit of the first, on the axis or in the tooltip', () => {
    const drawn = lineOf(['revenue', 'count', 'rate'])
    expect(drawn.yAxis).toMatchObject({ format: 'SMART_NUMBER' })
    expect(Object.fromEntries(drawn.series.map(({ name, format }) => [name, format]))).toEqual({
      revenue: 'currency:EUR:prefix:SMART_NUMBER',
      count: undefined,
      rate: ',.1%',
    })
  })

  it('describes each extreme of the chart in the format of its own series', async () => {
    const form = applyDefaults(line.form, { x_axis: 'at', metrics: ['rate', 'revenue'] })
    const answer = frames('rate', 'revenue')
    const around = {
      theme: themes.light,
      locale: 'en',
      timeZone: 'UTC',
      translate: englishTranslator,
      width: 600,
      height: 300,
    }
    const picture = resolveSpec(
      line.spec(answer, form, buildSpecContext(form, { dataset })),
      answer,
      around,
      await loadFamilies(['line']),
    )
    expect(picture.describe('Line Chart')).toMatch(/Highest: € 40 .* Lowest: 1,000.0% /)
  })

  it('uses the common format of two queries on their shared axis, and the own format of each series', () => {
    const form = applyDefaults(mixed.form, { x_axis: 'at', metrics: ['revenue'], metrics_b: ['count'] })
    const [columns, b] = [frames('revenue'), frames('count')]
    const both = { series: columns['series']!, series_b: b['series']! }
    const drawn = mixed.spec(both, form, buildSpecContext(form, { dataset })) as unknown as Drawn
    expect(drawn.yAxis).toMatchObject({ format: 'SMART_NUMBER' })
    expect(drawn.series.map(({ format }) => format)).toEqual(['currency:EUR:prefix:SMART_NUMBER', 'SMART_NUMBER'])
  })
})
