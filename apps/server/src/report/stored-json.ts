import type { RecipientConfig, ReportExtra, ValidatorConfig } from '@parquetry/model'

/** JSON with a space after commas and colons, as clients of the API know it. */
function formatSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatSpaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}: ${formatSpaced(field)}`).join(', ')}}`
}

export const formatRecipientConfig = (config: RecipientConfig | undefined): string => formatSpaced(config ?? {})

/** As the API writes it: the threshold comes first and has decimals. */
export function formatValidatorConfig({ op, threshold, ...others }: ValidatorConfig): string {
  const number = threshold === undefined ? undefined : String(threshold)
  const fields = [
    ...(number === undefined ? [] : [`"threshold": ${/^-?\d+$/.test(number) ? `${number}.0` : number}`]),
    ...(op === undefined ? [] : [`"op": ${JSON.stringify(op)}`]),
    ...Object.entries(others).map(([name, field]) => `${JSON.stringify(name)}: ${formatSpaced(field)}`),
  ]
  return `{${fields.join(', ')}}`
}

/** Reads what these columns contain; an empty object if a column is damaged. */
function parseObject<T extends object>(text: string | null): T {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as T
  } catch {
    return {} as T
  }
}

export const parseReportExtra = (text: string | null): ReportExtra => parseObject<ReportExtra>(text)
export const parseRecipientConfig = (text: string | null): RecipientConfig => parseObject<RecipientConfig>(text)
export const parseValidatorConfig = (text: string | null): ValidatorConfig => parseObject<ValidatorConfig>(text)
