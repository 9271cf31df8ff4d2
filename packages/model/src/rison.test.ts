import { describe, expect, it } from 'vitest'
import { decodeRison } from './decode-rison.ts'
import { encodeRison } from './encode-rison.ts'
import { checkCases, type Random } from './testing/random.ts'

const alphabet = [
  'a',
  'Z',
  '0',
  '9',
  '-',
  '.',
  '_',
  ' ',
  "'",
  '!',
  ':',
  '(',
  ')',
  ',',
  '*',
  '@',
  '$',
  'ü',
  '漢',
  '\u{1f600}',
  '\n',
  '"',
  '%',
]

function createValue(random: Random['int'], depth: number): unknown {
  const text = () => Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)]).join('')
  const kind = random(depth > 4 ? 5 : 7)
  if (kind === 0) return null
  if (kind === 1) return random(2) === 1
  if (kind === 2) return random(2) ? random(1e6) - 5e5 : (random(1e6) - 5e5) / 1024
  if (kind < 5) return text()
  if (kind === 5) return Array.from({ length: random(4) }, () => createValue(random, depth + 1))
  return Object.fromEntries(Array.from({ length: random(4) }, () => [`k${text()}`, createValue(random, depth + 1)]))
}

it('decodes every value that it encodes', () =>
  checkCases(3000, (random) => {
    const value = createValue(random.int, 0)
    expect(JSON.parse(JSON.stringify(decodeRison(encodeRison(value))))).toEqual(value)
  }))

describe('reading', () => {
  it.each([
    [
      "(filters:!((col:slug,opr:eq,value:'a b')),page:0,page_size:-1)",
      { filters: [{ col: 'slug', opr: 'eq', value: 'a b' }], page: 0, page_size: -1 },
    ],
    ['!(1,2,3)', [1, 2, 3]],
    ['!()', []],
    ['()', {}],
    ["'it!'s !!'", "it's !"],
    ['1e3', 1000],
    ['dashboard_title', 'dashboard_title'],
  ])('accepts %s', (text, value) => expect(JSON.parse(JSON.stringify(decodeRison(text)))).toEqual(value))

  it.each([
    '(a',
    '',
    '!x',
    '(a:2024-01-01)',
    "'open",
    '(a:1)b',
    '!(1,)',
    '(a)',
    "'!x'",
    '('.repeat(10_000),
    `'${'a'.repeat(100_001)}'`,
  ])('rejects %.30s', (text) => expect(() => decodeRison(text)).toThrow('Not a valid rison/json argument'))

  it('does not let a key set the prototype', () => {
    const value = decodeRison('(__proto__:(admin:!t),constructor:1)') as Record<string, unknown>
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })
})
