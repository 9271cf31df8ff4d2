import { expect, it } from 'vitest'
import { validateFormatRule, ruleColors, formatRuleText } from './format-rules.ts'

const rule = { column: 'n', operator: '>', targetValue: 1, colorScheme: ruleColors.green }

it('CTRL-097: requires a column, an operator, a color and the target values of the operator', () => {
  expect(validateFormatRule(rule)).toEqual({})
  expect(validateFormatRule({})).toEqual({ column: 'required', operator: 'required', color: 'required' })
  expect(validateFormatRule({ ...rule, operator: 'None' })).toEqual({})
  expect(validateFormatRule({ column: 'n', operator: '≥', colorScheme: ruleColors.red })).toEqual({
    target: 'required',
  })
})

it('CTRL-098, CTRL-099: requires the left bound to be less than the right one', () => {
  const between = { ...rule, operator: '≤ x <', targetValueLeft: 5 }
  expect(validateFormatRule(between)).toEqual({ right: 'required' })
  expect(validateFormatRule({ ...between, targetValueRight: 5 })).toEqual({ left: 'too-large', right: 'too-small' })
  expect(validateFormatRule({ ...between, targetValueRight: 6 })).toEqual({})
})

it('describes a rule as text', () => {
  expect(formatRuleText(rule, 'Sales')).toBe('Sales > 1')
  expect(formatRuleText({ ...rule, operator: '< x ≤', targetValueLeft: 1, targetValueRight: 9 }, 'Sales')).toBe(
    '1 < Sales ≤ 9',
  )
})
