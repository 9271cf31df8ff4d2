import type { ApiError } from '@parquetry/client'

/** Error types shown only after Test or Connect (DB-005, DB-006). */
const quietTypes = new Set(['CONNECTION_MISSING_PARAMETERS_ERROR', 'CONNECTION_ACCESS_DENIED_ERROR'])

/**
 * Validation messages by field (DB-003).
 * @param isForced  the user requested the check, so missing values are reported as well
 * @param missingText  message for a missing field (DB-004)
 */
export function fieldErrors(error: ApiError, isForced: boolean, missingText: string): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { error_type, message, extra } of error.errors) {
    if (quietTypes.has(error_type) && !isForced) continue
    for (const field of names(extra?.['missing'])) messages[field] = missingText
    for (const field of names(extra?.['invalid'])) messages[field] = message
  }
  for (const [field, texts] of Object.entries(error.fields))
    if (texts[0] !== undefined) messages[field.replace(/^parameters\./, '')] = texts[0]
  return messages
}

const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
