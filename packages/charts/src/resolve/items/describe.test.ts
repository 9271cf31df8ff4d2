import { expect, it } from 'vitest'
import { themes } from '../theme.ts'
import { englishTranslator } from '../text.ts'
import { describeItems } from './describe.ts'

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const describeData = (data: { name: string; value: number }[]): string =>
  describeItems(
    { name: 'Days', color: '#3f6bdc', items: data },
    { kind: 'Pie Chart', tooltip: { trigger: 'item' } },
    around,
  )

it('regression: describes a single part without naming a largest and a smallest', () => {
  expect(describeData([{ name: 'snow', value: 26 }])).toBe('Pie Chart of Days with 1 part: snow, 26.')
})

it('states the number of parts, the largest and the smallest', () => {
  const rest = Array.from({ length: 1200 }, (_, index) => ({ name: `kind ${index}`, value: 1 + index }))
  expect(describeData(rest)).toBe('Pie Chart of Days with 1,200 parts. Largest: kind 1199, 1,200. Smallest: kind 0, 1.')
})
