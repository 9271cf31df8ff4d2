import { describe, expect, it } from 'vitest'
import { loadChart } from '../../registry.ts'
import { applyDefaults } from '../../read-form.ts'
import { parseColor } from './color.ts'

describe('a color as text', () => {
  it('CTRL-034: is hex of three or six digits, or rgb()', () => {
    expect(parseColor('#0af')).toEqual([0, 170, 255])
    expect(parseColor('#00AAff')).toEqual([0, 170, 255])
    expect(parseColor('rgb(0, 170, 255)')).toEqual([0, 170, 255])
    for (const text of ['red', '#12', '#12345', '#ggg', 'rgb(1,2)', 'url(x)', '']) expect(parseColor(text)).toBeNull()
  })
})

it('CTRL-033: the opacity of a color is between 0 and 1', async () => {
  for (const [viz_type, name] of [
    ['deck_scatter', 'color_picker'],
    ['deck_arc', 'target_color_picker'],
  ] as const) {
    const { form } = (await loadChart(viz_type))!
    const drawn = (a: unknown) => applyDefaults(form, { [name]: { r: 1, g: 2, b: 3, a } })[name]
    const byDefault = applyDefaults(form, {})[name]
    expect([0, 0.35, 1].map(drawn), viz_type).toEqual([0, 0.35, 1].map((a) => ({ r: 1, g: 2, b: 3, a })))
    expect([-0.1, 1.01, 'thick'].map(drawn), viz_type).toEqual([byDefault, byDefault, byDefault])
  }
})

it('CTRL-033: the opacity of areas and bubbles is between 0 and 1', async () => {
  for (const viz_type of ['echarts_area', 'bubble_v2']) {
    const { form } = (await loadChart(viz_type))!
    const drawn = (opacity: unknown) => applyDefaults(form, { opacity })['opacity']
    const byDefault = drawn(undefined)
    expect([0, 0.35, 1].map(drawn), viz_type).toEqual([0, 0.35, 1])
    expect([-0.1, 1.01, 'thick'].map(drawn), viz_type).toEqual([byDefault, byDefault, byDefault])
  }
})
