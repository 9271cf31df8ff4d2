import { describe, expect, it } from 'vitest'
import type { Spec } from '../../define.ts'
import { toFrames } from '../../testing/frames.ts'
import { loadFamilies } from '../families/load.ts'
import { resolveSpec } from '../resolve-spec.ts'
import type { RenderContext } from '../render-context.ts'
import { themes } from '../theme.ts'
import { renderTooltipHtml } from '../tooltip.ts'
import { englishTranslator } from '../text.ts'

const around: RenderContext = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const day = 86_400_000
const frames = toFrames({
  rows: [
    { name: 'day', kind: 'time', values: [0, day, 2 * day] },
    { name: 'sales', values: [4, 9, 2] },
  ],
})
const event = { at: day + 5, title: 'Launch', text: '<b>new</b>' }
const strike = { at: -day, to: day, title: 'Strike', text: '' }
const overlay = { type: 'overlay', name: 'Target', color: '#123456', data: [[0, 5], [day, 6], [4 * day, 7]] } // prettier-ignore
const spec = {
  legend: {},
  tooltip: { trigger: 'axis', rows: [{ field: 'value', format: ',.1f' }] },
  xAxis: { type: 'time' },
  yAxis: { type: 'value' },
  series: [
    { type: 'line', name: 'sales', color: '#3157cb', points: { x: { column: 'day' }, y: { column: 'sales' } } },
    overlay,
    { type: 'note', name: 'Events', color: '#93908d', data: [event] },
    { type: 'note', name: 'Strikes', color: '#93908d', data: [strike], legend: false },
  ],
}
const drawn = async (more: Partial<RenderContext> = {}, of: Spec = spec) =>
  resolveSpec(of, frames, { ...around, ...more }, await loadFamilies(['line', 'overlay', 'note']))
const readMarkTexts = (resolved: Awaited<ReturnType<typeof drawn>>) =>
  [0, 1, 2].map((index) => resolved.markText({ series: 0, at: index }))

describe('annotations over a chart', () => {
  it('are announced at the positions they apply to: events until the next position, spans over their whole range', async () => {
    expect(readMarkTexts(await drawn())).toEqual([
      '1970-01-01, sales: 4.0, Target: 5.0, Strikes: Strike',
      '1970-01-02, sales: 9.0, Target: 6.0, Events: Launch: <b>new</b>, Strikes: Strike',
      '1970-01-03, sales: 2.0',
    ])
  })
  it('have no marks and are not reachable by pointer or arrow keys', async () => {
    const resolved = await drawn()
    expect(resolved.navigate({ series: 0, at: 0 }, 'down')).toBeNull()
    expect(resolved.fromTarget({ seriesIndex: 1, dataIndex: 0 })).toBeNull()
    expect(resolved.has({ series: 2, at: 0 })).toBe(false)
    expect(resolved.axes?.plots).toHaveLength(1)
  })
  it('have a legend entry that hides them, unless the layer opts out', async () => {
    expect((await drawn()).legend.map(({ name }) => name)).toEqual(['sales', 'Target', 'Events'])
    const without = await drawn({ hidden: new Set(['Target', 'Events']) })
    expect(without.legend.map(({ isHidden }) => isHidden)).toEqual([false, true, true])
    expect(readMarkTexts(without)[1]).toBe('1970-01-02, sales: 9.0, Strikes: Strike')
    const names = (without.option.series as { name?: string }[]).map(({ name }) => name)
    expect(names).toEqual(['sales', 'Strikes', undefined])
  })
  it('are named in the description', async () => {
    expect((await drawn()).describe('Line Chart')).toContain('Annotated with Target, Events, Strikes.')
    const bare = await drawn({}, { ...spec, series: spec.series.slice(0, 1) })
    expect(bare.describe('Line Chart')).not.toContain('Annotated')
  })
  it('are not enough for a chart without data', async () => {
    expect((await drawn({}, { ...spec, series: spec.series.slice(1) })).isEmpty).toBe(true)
  })
  it('are still drawn when the legend hides all series', async () => {
    const only = await drawn({ hidden: new Set(['sales', 'Target']) })
    expect(only.isEmpty).toBe(false)
    const [first] = only.option.series as { data: number[][] }[]
    expect(only.option.xAxis).toMatchObject({ axisLabel: { customValues: [0, 2 * day] } })
    expect(first?.data.map(([at]) => at)).toEqual([NaN, 0, 2 * day])
  })
  it('extend a time axis and its labels', async () => {
    const labels = (resolved: Awaited<ReturnType<typeof drawn>>) =>
      (resolved.option.xAxis as { axisLabel: { customValues: number[] } }).axisLabel.customValues
    expect(labels(await drawn()).at(-1)).toBeGreaterThan(2 * day)
  })
  it('are escaped in the tooltip', () => {
    const tip = { title: '', rows: [], more: 0, total: null }
    const html = renderTooltipHtml({ ...tip, notes: [{ name: '<i>', color: 'red;x', text: event.text }] }, around)
    expect(html).toContain('&lt;b&gt;new&lt;/b&gt;')
    expect(html).not.toContain('<b>')
    expect(html).not.toContain('red;x')
  })
})
