import { expect, it } from 'vitest'
import { urlencodedFields } from './form-fields.ts'
import { parseJson } from './json-body.ts'

it('counts only brackets outside of strings', () => {
  const text = JSON.stringify({ a: '['.repeat(200), b: '\\"[[', c: '{"' })
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

it.each(['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"\\u005f_proto__":1}'])('refuses %s', (text) => {
  expect(() => parseJson(text)).toThrow('__proto__')
})

it('accepts 64 levels and refuses 65', () => {
  expect(() => parseJson('['.repeat(64) + ']'.repeat(64))).not.toThrow()
  expect(() => parseJson('['.repeat(65) + ']'.repeat(65))).toThrow('64 levels')
})

it.each([
  ['numbers', `[${'1,'.repeat(100_000)}1]`],
  ['empty lists', `[${'[],'.repeat(60_000)}1]`],
  ['keys', `{${'"a":1,'.repeat(100_001)}"b":1}`],
])('regression: refuses JSON with too many %s', (_name, text) => {
  expect(() => parseJson(text)).toThrow('more than 100,000 values')
})

it('does not count commas in strings', () => {
  const text = JSON.stringify({ a: ','.repeat(200_000), b: '\\'.repeat(10) })
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

it('regression: refuses a form with too many fields before splitting it', () => {
  expect(() => urlencodedFields('a&'.repeat(500_000))).toThrow('at most 1,000 fields')
  expect({ ...urlencodedFields('a=1&a=2&b=%20c') }).toEqual({ a: '1', b: ' c' })
})

it.each(['{"a":1,"a":2}', '{"b":[{"a":{},"c":"a","a":1}]}', '{"a":1,"\\u0061":2}'])(
  'regression: refuses a duplicate key: %s',
  (text) => expect(() => parseJson(text)).toThrow('The key "a" occurs twice'),
)

it('accepts the same key in another object and as a value', () => {
  const text = '{"a":{"a":["a","a",{"a":1}],"b":"a"},"b":{"a":"{\\"a\\":1,\\"a\\":2}"},"c":[{"a":1},{"a":2}]}'
  expect(parseJson(text)).toEqual(JSON.parse(text))
})
