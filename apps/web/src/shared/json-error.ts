import type { Translate } from '@parquetry/ui'

/** Where and why a text is not JSON; `line` and `column` begin with 1 and are null where the browser does not tell. */
export interface JsonError {
  line: number | null
  column: number | null
  reason: string
}

/** Returns the error of a text that is not JSON, otherwise null. */
export function findJsonError(text: string): JsonError | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const { message } = error as Error
    const offset = findOffset(text, message)
    const before = offset === null ? null : text.slice(0, offset).split('\n')
    return {
      line: before && before.length,
      column: before && (before.at(-1) ?? '').length + 1,
      // Browsers append the position and a part of the text.
      reason: message.replace(/,? (?:"[^]*" is not valid JSON|(?:in JSON )?at (?:position|line) [^]*)$/, ''),
    }
  }
}

/** Chromium names the position, Firefox line and column; a text that ends too early has neither. */
function findOffset(text: string, message: string): number | null {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  const [, line, column] = /at line (\d+) column (\d+)/.exec(message) ?? []
  if (line !== undefined && column !== undefined)
    return (
      text
        .split('\n')
        .slice(0, Number(line) - 1)
        .join('\n').length +
      (line === '1' ? 0 : 1) +
      Number(column) -
      1
    )
  return /end of (JSON input|data)/i.test(message) ? text.length : null
}

/** The error of a text that is not JSON as a sentence for its field; undefined if it is JSON. */
export function jsonErrorText(text: string, t: Translate): string | undefined {
  const error = findJsonError(text)
  if (error === null) return undefined
  const { line, column, reason } = error
  return line === null || column === null
    ? t('shared.json.error', 'This is not valid JSON: {reason}', { reason })
    : t('shared.json.errorAt', 'Line {line}, column {column}: {reason}', { line, column, reason })
}
