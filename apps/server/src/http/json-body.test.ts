import { expect, it } from 'vitest'
import { parseJson } from './json-body.ts'

it('counts brackets outside of strings only', () => {
  const text = JSON.stringify({ a: '['.repeat(200), b: '\\"[[', c: '{"' })
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

it.each(['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"\\u005f_proto__":1}'])('refuses %s', (text) => {
  expect(() => parseJson(text)).toThrow('__proto__')
})

it('takes 64 levels and refuses 65', () => {
  expect(() => parseJson('['.repeat(64) + ']'.repeat(64))).not.toThrow()
  expect(() => parseJson('['.repeat(65) + ']'.repeat(65))).toThrow('64 levels')
})
