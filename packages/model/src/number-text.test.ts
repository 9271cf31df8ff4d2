import { describe, expect, it } from 'vitest'
import {
  compareExactNumbers,
  formatDecimalText,
  parseDecimalText,
  parseExactJson,
  readExactNumber,
} from './number-text.ts'
import { decodeRison } from './decode-rison.ts'
import { encodeRison } from './encode-rison.ts'

describe('numbers as text', () => {
  it('regression: a number that JavaScript would round stays text, in JSON, in addresses and when typed', () => {
    for (const text of [
      '9007199254740995',
      '-9223372036854775808',
      '0.12345678901234567891',
      '1.0000000000000000001',
    ]) {
      expect(readExactNumber(` ${text} `)).toBe(text)
      expect(parseExactJson(`{"val":[${text},1]}`)).toEqual({ val: [text, 1] })
      expect(decodeRison(`(val:${text})`)).toEqual({ val: text })
      expect(decodeRison(encodeRison({ val: text }))).toEqual({ val: text })
    }
  })

  it('a number that JavaScript prints with the same digits stays a number', () => {
    for (const text of ['0', '-1', '0.1', '1e5', '100000', '9007199254740991', '0.30000000000000004', '1e300', '5.00'])
      expect(readExactNumber(text)).toBe(Number(text))
    const plain = '{"a":[1,0.1,-1e300,"9007199254740995"],"b":{"c":null}}'
    expect(parseExactJson(plain)).toEqual(JSON.parse(plain))
  })

  it('regression: numbers are compared by all their digits', () => {
    const ascending = [
      '-9007199254740995',
      '-9007199254740993',
      '-1e3',
      -2.5,
      '-0.12345678901234567891',
      0,
      '1e-30',
      '0.12345678901234567891',
      '0.12345678901234567892',
      9,
      10,
      '9007199254740993',
      '9007199254740995',
      '1e40',
    ]
    const shuffled = ascending.toReversed()
    expect(shuffled.toSorted(compareExactNumbers)).toEqual(ascending)
    for (const [a, b] of [
      ['-0', 0],
      ['1e3', 1000],
      ['5.00', 5],
    ] as const)
      expect(compareExactNumbers(a, b), `${a} = ${b}`).toBe(0)
    expect(() => compareExactNumbers('x', 1)).toThrow(TypeError)
  })

  it('other text is no number', () => {
    for (const text of ['', 'abc', '1,5', '0x10', 'Infinity', 'NaN', '1e', '--1', '.'])
      expect(readExactNumber(text)).toBeNull()
  })

  it('writes all digits without an exponent', () => {
    const plain = (text: string) => formatDecimalText(parseDecimalText(text)!)
    expect(['1e3', '-1.50', '.5', '1.2e-3', '0.0', '-0', '12300e-2', '1e-90'].map(plain)).toEqual([
      '1000',
      '-1.5',
      '0.5',
      '0.0012',
      '0',
      '0',
      '123',
      null,
    ])
  })

  it('passes each value to a reviver', () => {
    const seen: string[] = []
    parseExactJson('{"a":9007199254740995}', (key, value) => (seen.push(`${key}:${typeof value}`), value))
    expect(seen).toEqual(['a:string', ':object'])
  })
})
