import { AppError } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { findLine, readYaml } from './index.ts'

function refuse(text: string): string {
  try {
    readYaml(text, 'charts/x.yaml')
  } catch (error) {
    if (error instanceof AppError) return String(error.details['charts/x.yaml'])
  }
  throw new Error('not refused')
}

describe('a YAML file', () => {
  it.each([
    ['a: 1\nb: [1, 2\nc: 3', 'at line 3.'],
    ['a: 1\nb: "x', 'at line 2.'],
    ['a:\n  b: 1\n   c: 2', 'at line 3.'],
    ['a: 1\nb: !!python/tuple [1]', 'at line 2.'],
    ['a: 1\nb:\n  c: 1\n  c: 2', 'Map keys must be unique at line 4.'],
    ['a: *b', 'at line 1.'],
    ['a: 1\n---\na: 2', 'several YAML documents'],
    ['', 'does not contain a YAML mapping'],
    ['- a', 'does not contain a YAML mapping'],
    [`a: &a 1\nb: [${'*a,'.repeat(101)}]`, 'aliases more often than allowed'],
    ['a: &a [*a]', 'nested more than 64 levels'],
  ])('%j is refused with the reason and the line', (text, reason) => {
    expect(refuse(text)).toContain(reason)
  })

  it('keeps texts that other versions of YAML read as numbers', () => {
    const text = 'a: 0o17\nb: 1e3\nc: 2E10\nd: 1_000\ne: 12:30:45\nf: 2026-01-01\ng: No\nh: 0.10000000000000000001\n'
    expect(readYaml(text, 'a.yaml')).toEqual({
      a: '0o17',
      b: '1e3',
      c: '2E10',
      d: '1_000',
      e: '12:30:45',
      f: '2026-01-01',
      g: 'No',
      h: '0.10000000000000000001',
    })
  })

  it('reads numbers as programs write them', () => {
    const text = 'a: 1e-07\nb: 1.0e+21\nc: -12\nd: 0x1F\ne: 1.50\nf: -0.5\ng: 1.e+3\nh: 999999999999999\ni: +5\n'
    expect(readYaml(text, 'a.yaml')).toEqual({
      a: 1e-7,
      b: 1e21,
      c: -12,
      d: 31,
      e: 1.5,
      f: -0.5,
      g: 1000,
      h: 999_999_999_999_999,
      i: 5,
    })
  })
})

describe('the line of a field', () => {
  const text = [
    'slice_name: a',
    'params: &p',
    '  metrics: [count, {label: x,',
    '    expr: y}]',
    '  "time range": No filter',
    'columns:',
    '- column_name: a',
    '  type: INT',
    '-',
    '  column_name: b',
    '  type: TEXT',
    'copy: *p',
  ].join('\n')

  it.each<[keys: string[], line: number | undefined]>([
    [['slice_name'], 1],
    [['params'], 2],
    [['params', 'metrics', '1', 'expr'], 4],
    [['params', 'time range'], 5],
    [['columns', '1', 'type'], 11],
    [['columns', '1'], 10],
    [['columns', '1', 'missing'], 10],
    [['columns', '7'], 6],
    [['copy', 'metrics'], 12],
    [['missing', 'type'], undefined],
    [[], undefined],
  ])('%j is %j', (keys, line) => {
    expect(findLine(text, keys)).toBe(line)
  })

  it('is unknown in a text that is not valid', () => {
    expect(findLine('a: [', ['a'])).toBeUndefined()
  })
})
