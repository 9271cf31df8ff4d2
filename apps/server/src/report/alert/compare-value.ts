import type { ValidatorConfig, ValidatorOperator } from '@parquetry/model'

const comparisons: Readonly<Record<ValidatorOperator, (value: number, threshold: number) => boolean>> = {
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
  '>': (value, threshold) => value > threshold,
  '>=': (value, threshold) => value >= threshold,
  '==': (value, threshold) => value === threshold,
  '!=': (value, threshold) => value !== threshold,
}

/** The value as a number; null for null and for what is none. Numbers may be text: those with many digits are. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && !Number.isNaN(number) ? number : null
}

/**
 * Tests the value of an alert. As in the API, `not null` also needs a value other than zero, and `operator` compares null as zero.
 */
export function isTriggered(
  value: unknown,
  { validator_type, validator_config }: { validator_type: string | null; validator_config: ValidatorConfig },
): boolean {
  if (validator_type === 'not null') return value !== null && value !== undefined && toNumber(value) !== 0
  const { op, threshold } = validator_config
  if (op === undefined || threshold === undefined) return false
  return comparisons[op](toNumber(value) ?? 0, threshold)
}
