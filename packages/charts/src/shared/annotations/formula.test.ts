import { describe, expect, it } from 'vitest'
import { readFormula } from './formula.ts'

const at = (formula: string, x: number) => readFormula(formula)?.at(x)

describe('a formula', () => {
  // operator precedence follows https://mathjs.org/docs/expressions/syntax.html, for which formulas were written
  it.each([
    ['10*x+5', 2, 25],
    ['2x+5', 3, 11],
    ['y = 2x', 4, 8],
    ['f(x) = x^2 - 1', 5, 24],
    ['-x^2', 3, -9],
    ['2^3^2', 0, 512],
    ['2^-1', 0, 0.5],
    ['10 - 4 - 3', 0, 3],
    ['100 / 10 / 5', 0, 2],
    ['1/2x', 6, 3],
    ['2(x + 1)(x - 1)', 3, 16],
    ['3 sin(pi x / 2)', 1, 3],
    ['7 % 4', 0, 3],
    ['max(x, 3, 2)', 1, 3],
    ['log(e)', 0, 1],
    ['log(8, 2)', 0, 3],
    ['log10(1000)', 0, 3],
    ['1.5e3 + .5', 0, 1500.5],
    ['2e', 0, 2 * Math.E],
    ['x ** 2', 4, 16],
    ['x > 5 ? 1 : 0', 6, 1],
    ['x > 5 ? 1 : x < 2 ? 2 : 3', 4, 3],
    ['1 + 2 > 2', 0, 1],
    ['  42  ', 1e12, 42],
    ['SIN(X)', 0, 0],
  ])('%s at %d is %d', (formula, x, value) => expect(at(formula, x)).toBeCloseTo(value, 10))

  it.each([
    '',
    '   ',
    '10*',
    '(x',
    'x)',
    'x +* 2',
    'y',
    'foo(x)',
    'x = 1 = 2',
    'sin x',
    'sin',
    'constructor(1)',
    '__proto__',
    'toString()',
    'x; alert(1)',
    'x[0]',
    '"a"',
    '1 2 ? 3',
    '1+'.repeat(10_000) + '1',
    '('.repeat(10_000),
    '-'.repeat(10_000) + 'x',
    'max()',
  ])('%j is invalid', (formula) => expect(readFormula(formula)).toBeNull())

  it('reports whether it depends on x', () => {
    expect([readFormula('2 * 25')?.usesX, readFormula('0 * x')?.usesX]).toEqual([false, true])
  })

  it('is infinite or NaN where it is undefined', () => {
    expect(at('1/x', 0)).toBe(Infinity)
    expect(at('sqrt(x)', -1)).toBeNaN()
  })
})
