import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { drawChart } from './index.ts'
import { sanitizeNodes } from './sanitize-nodes.ts'

const form = { viz_type: 'pie', groupby: ['name'], metric: 'n' }

it('regression: does not write scripts or external URLs from dashboard colors into the SVG', async () => {
  const slices = buildFrame({ name: ['a', 'b'], n: [2, 1] })
  for (const color of ['"/><script>alert(1)</script>', 'url(http://127.0.0.1/away)', ']]><script>']) {
    const { svg } = await drawChart('pie', { slices }, form, { dashboard: { label_colors: { a: color } } })
    expect(svg).not.toContain(color)
  }
  const { svg } = await drawChart('pie', { slices }, form, { dashboard: { label_colors: { a: 'rgb(1, 2, 3)' } } })
  expect(svg).toContain('fill="rgb(1, 2, 3)"')
})

it('regression: removes control characters that XML does not allow', async () => {
  const slices = buildFrame({ name: ['a\0b\u0007', 'c'], n: [2, 1] })
  const { svg } = await drawChart('pie', { slices }, form, { title: 'x\u0001' })
  expect(svg).not.toMatch(/[^\P{Cc}\t\n\r]/u)
  expect(svg).toContain('>ab')
})

it('escapes attributes that ECharts would write verbatim', () => {
  const node = {
    tag: 'path',
    attrs: { fill: '"><b>', stroke: 'url(#own)', filter: 'url( https://a/b )', d: 'M1 2', x: 1 },
  }
  expect(sanitizeNodes(node).attrs).toEqual({
    fill: '&quot;&gt;&lt;b&gt;',
    stroke: 'url(#own)',
    filter: 'none',
    d: 'M1 2',
    x: 1,
  })
  const style = (text: string) => sanitizeNodes({ tag: 'style', attrs: {}, text }).text
  expect(style('<![CDATA[.a{fill:red}]]>')).toBe('<![CDATA[.a{fill:red}]]>')
  expect(style('<![CDATA[.a{fill:]]><script>}]]>')).toBe('')
  expect(style('<![CDATA[.a{fill:url(//a)}]]>')).toBe('')
})
