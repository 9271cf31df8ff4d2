/** One entry of `conditional_formatting`, as spelled by the API (CTRL-096). */
export interface FormatRule {
  column?: string
  operator?: string
  /** A string for text columns. */
  targetValue?: number | string
  targetValueLeft?: number
  targetValueRight?: number
  colorScheme?: string
  /** If false, all matching cells have the same intensity. */
  useGradient?: boolean
  toAllRow?: boolean
  toTextColor?: boolean
}

/** CTRL-101: as stored in documents. */
export const ruleColors = { green: '#ACE1C4', yellow: '#FDE380', red: '#EFA1AA' } as const

export const isBetween = (operator: string | undefined): boolean => /(?:<|≤) x (?:<|≤)/.test(operator ?? '')
export const hasTargetValue = (operator: string | undefined): boolean =>
  operator !== undefined && operator !== 'None' && !operator.startsWith('is ') && !isBetween(operator)

export interface RuleErrors {
  column?: 'required'
  operator?: 'required'
  target?: 'required'
  left?: 'required' | 'too-large'
  right?: 'required' | 'too-small'
  color?: 'required'
}

/** Validation errors of a rule (CTRL-097 to CTRL-099); empty when it can be saved. */
export function validateFormatRule({ column, operator, colorScheme, ...rule }: FormatRule): RuleErrors {
  const { targetValue, targetValueLeft: left, targetValueRight: right } = rule
  const isReversed = left !== undefined && right !== undefined && left >= right
  return {
    ...(!column && { column: 'required' }),
    ...(!operator && { operator: 'required' }),
    ...(!colorScheme && { color: 'required' }),
    ...(hasTargetValue(operator) && (targetValue === undefined || targetValue === '') && { target: 'required' }),
    ...(isBetween(operator) && {
      ...(left === undefined ? { left: 'required' } : isReversed && { left: 'too-large' }),
      ...(right === undefined ? { right: 'required' } : isReversed && { right: 'too-small' }),
    }),
  }
}

/** Text of a rule: `Sales ≥ 100`, `1 < Sales < 9`. */
export function formatRuleText({ column = '', operator = 'None', ...rule }: FormatRule, label: string): string {
  const name = label || column
  if (isBetween(operator))
    return `${rule.targetValueLeft ?? '?'} ${operator.replace('x', name)} ${rule.targetValueRight ?? '?'}`
  if (operator.startsWith('is ')) return `${name} ${operator}`
  return hasTargetValue(operator) ? `${name} ${operator} ${rule.targetValue ?? '?'}` : name
}
