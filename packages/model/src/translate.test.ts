import { expect, it } from 'vitest'
import { englishTranslator, createTranslator } from './translate.ts'

it('uses the text of the catalog, and English where it has none', () => {
  const say = createTranslator({ messages: { 'picture.others': 'Übrige ({count})' }, locale: 'de' })
  expect(say('picture.others', 'Others ({count})', { count: 3 })).toBe('Übrige (3)')
  expect(say('picture.nothing', '{kind} with no data.', { kind: 'Pie' })).toBe('Pie with no data.')
  expect(englishTranslator('picture.others', 'Others ({count})', { count: 3 })).toBe('Others (3)')
})

it('applies the plural rules of the language', () => {
  const text = '{names}: {count, plural, =0 {none} one {# row of {of}} few {# řádky} other {# rows}}.'
  const rows = (locale: string, count: number) =>
    createTranslator({ messages: { rows: text }, locale })('rows', '', { names: 'A', of: 'B', count })
  expect(rows('en', 0)).toBe('A: none.')
  expect(rows('en', 1)).toBe('A: 1 row of B.')
  expect(rows('en', 12_000)).toBe('A: 12,000 rows.')
  expect(rows('cs', 3)).toBe('A: 3 řádky.')
  expect(rows('de', 12_000)).toBe('A: 12.000 rows.')
})

it('leaves braces in values and anything that is not a placeholder unchanged', () => {
  expect(englishTranslator('x', 'Write `{{ metric }}` for its {name}.', { name: 'name' })).toBe(
    'Write `{{ metric }}` for its name.',
  )
  expect(englishTranslator('x', '{kind} of {names}', { kind: '{names}', names: 'a {b}' })).toBe('{names} of a {b}')
})

it('formats numbers, percentages and times for the language, and missing values as empty text', () => {
  const say = createTranslator({ messages: {}, locale: 'de' })
  expect(say('x', '{n, number} von {all, number}', { n: 1234.5, all: 0 })).toBe('1.234,5 von 0')
  expect(say('x', '{share, number, percent}', { share: 0.914 })).toBe('91\u00a0%')
  expect(say('x', '{at, time, short}', { at: new Date(2026, 10, 5, 14, 5) })).toBe('14:05')
  expect(say('x', '[{a}{b}{c}]', { a: null, b: undefined })).toBe('[]')
})
