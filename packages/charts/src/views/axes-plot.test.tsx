import { buildFrame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChartForm } from '../define.ts'
import { ChartHost } from './index.tsx'

type Series = Record<string, (number | null)[]>

const showStack = (x: [string, string], series: Series, more: ChartForm = {}) =>
  show(
    <div style={{ width: 600, height: 400 }}>
      <ChartHost
        form={{
          viz_type: 'echarts_timeseries_bar',
          x_axis: 'x',
          metrics: ['n'],
          groupby: ['g'],
          stack: 'Stack',
          ...more,
        }}
        frames={{ series: buildFrame({ x, ...series }) }}
        title="Stack"
      />
    </div>,
  )
const figure = page.getByRole('figure', { name: 'Stack' })
const entry = (name: string) => page.getByRole('button', { name, exact: true })
const tooltip = () => document.querySelector<HTMLElement>('.pq-tip')

/** Returns the lines of the tooltip over a category, such as `high 0`; the first category is on the left half. */
async function readTooltip(category: string, side: 'left' | 'right'): Promise<string[]> {
  await expect.poll(() => figure.element().querySelector('canvas')).not.toBeNull()
  let offset = 0
  await expect
    .poll(async () => {
      await userEvent.hover(figure, { position: { x: (side === 'left' ? 180 : 440) + (offset++ % 2), y: 180 } })
      return tooltip()?.querySelector('.pq-tip-title')?.textContent
    })
    .toBe(category)
  return [...tooltip()!.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('.pq-tip-name, .pq-tip-value')].map(({ textContent }) => textContent).join(' '),
  )
}

it('C050: the tooltip of a stack on a logarithmic axis lists zero as 0, and no null', async () => {
  await showStack(['mon', 'tue'], { high: [0, 5], mid: [10, null], low: [1000, 100] }, { logAxis: true })
  expect(await readTooltip('mon', 'left')).toEqual(['low 1,000', 'mid 10', 'high 0', 'Total 1,010'])
  expect(await readTooltip('tue', 'right')).toEqual(['low 100', 'high 5', 'Total 105'])
})

it('C051: a series that the legend hides leaves the others and their sum', async () => {
  await showStack(['x1', 'x2'], { a: [5, 2], b: [-3, null], c: [null, 4] })
  expect(await readTooltip('x1', 'left')).toEqual(['a 5', 'b -3', 'Total 2'])
  expect(await readTooltip('x2', 'right')).toEqual(['c 4', 'a 2', 'Total 6'])
  await userEvent.keyboard('{Shift>}')
  await userEvent.click(entry('c'))
  await userEvent.keyboard('{/Shift}')
  await expect.element(entry('c')).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => readTooltip('x2', 'right')).toEqual(['a 2'])
  expect(await readTooltip('x1', 'left')).toEqual(['a 5', 'b -3', 'Total 2'])
})

it('C062: names that look like HTML are text in the legend, the tooltip and the description', async () => {
  const image = '<img src=x onerror=alert(1)>'
  await showStack(['<b>bold</b>', '<3'], { [image]: [1, 2], 'a < b & c > d': [3, 4] })
  await expect.element(entry(image)).toBeVisible()
  expect(await readTooltip('<b>bold</b>', 'left')).toEqual(['a < b & c > d 3', `${image} 1`, 'Total 4'])
  const id = figure.element().getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(id)?.textContent).toContain('<3')
  expect(document.querySelector('.pq-tip img, .pq-tip b, figure img')).toBeNull()
})

it('fills thousands of bars one by one, and a click finds the bar', async () => {
  const canvas = CanvasRenderingContext2D.prototype
  const [fillRect, rect] = [vi.spyOn(canvas, 'fillRect'), vi.spyOn(canvas, 'rect')]
  const day = Array.from({ length: 6000 }, (_, index) => new Date(index * 86_400_000))
  const clicked = vi.fn()
  await show(
    <div style={{ width: 600, height: 400 }}>
      <ChartHost
        form={{ viz_type: 'echarts_timeseries_bar', x_axis: 'day', metrics: ['n'], groupby: [] }}
        frames={{ series: buildFrame({ day, n: day.map(() => 50) }) }}
        title="Stack"
        onMark={(mark) => clicked(mark.row['n'])}
      />
    </div>,
  )
  await expect.poll(() => fillRect.mock.calls.length).toBeGreaterThanOrEqual(day.length)
  expect(rect.mock.calls.length).toBeLessThan(100)
  vi.restoreAllMocks()
  await expect
    .poll(async () => {
      await userEvent.click(figure, { position: { x: 300, y: 250 } })
      return clicked.mock.lastCall
    })
    .toEqual([50])
})
