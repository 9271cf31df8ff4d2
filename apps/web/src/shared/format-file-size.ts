import { formatNumber } from './formats.ts'

const units = ['kB', 'MB', 'GB'] as const

/** `12.4 MB` */
export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes / 1000
  let unit: (typeof units)[number] = 'kB'
  for (const next of units.slice(1)) {
    if (value < 1000) break
    value /= 1000
    unit = next
  }
  return `${formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`
}
