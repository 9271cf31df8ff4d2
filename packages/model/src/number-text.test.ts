import { describe, expect, it } from 'vitest'
import { formatDecimalText, parseDecimalText, parseExactJson, readExactNumber } from './number-text.ts'
import { decodeRison, encodeRison } from './rison.ts'

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
