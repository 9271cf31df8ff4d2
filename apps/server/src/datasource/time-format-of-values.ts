/** Formats that queries can read, the usual ones first. */
const formats: readonly [format: string, pattern: RegExp][] = [
  ['%Y-%m-%d', /^\d{4}-\d{2}-\d{2}$/],
  ['%Y-%m-%d %H:%M:%S', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/],
  ['%Y-%m-%dT%H:%M:%S', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/],
  ['%Y-%m-%d %H:%M', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/],
  ['%Y/%m/%d', /^\d{4}\/\d{2}\/\d{2}$/],
  ['%Y/%m/%d %H:%M:%S', /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/],
  ['%Y.%m.%d', /^\d{4}\.\d{2}\.\d{2}$/],
  ['%Y%m%d', /^\d{8}$/],
  ['%Y%m%d%H%M%S', /^\d{14}$/],
  ['%Y-%m', /^\d{4}-\d{2}$/],
  ['%Y/%m', /^\d{4}\/\d{2}$/],
  ['%Y%m', /^\d{6}$/],
  ['%Y', /^\d{4}$/],
]

/** True if month, day and clock are within their bounds. */
function isTime(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  const part = (at: number) => Number(digits.slice(at, at + 2) || '1')
  return (
    part(4) >= 1 && part(4) <= 12 && part(6) >= 1 && part(6) <= 31 && part(8) <= 24 && part(10) < 60 && part(12) < 61
  )
}

/** The format that all values have; null if there is none, or no value. */
export function findTimeFormat(values: readonly unknown[]): string | null {
  const texts = values.filter((value) => value !== null && value !== '').map(String)
  if (texts.length === 0 || !texts.every(isTime)) return null
  return formats.find(([, pattern]) => texts.every((text) => pattern.test(text)))?.[0] ?? null
}
