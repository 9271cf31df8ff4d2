/** Built-in number formats that show times. */
const classifyBuiltInFormat = (id: number): 'date' | 'time' | null => {
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return 'time'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : null
}

/** Returns what a number format shows: a date (with its time), a time of day, or a plain number. */
export function classifyNumberFormat(id: number, code: string | undefined): 'date' | 'time' | null {
  if (code === undefined) return classifyBuiltInFormat(id)
  const [positive = ''] = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')
  if (/general/i.test(positive) || /[#?]/.test(positive)) return null
  if (/[yd]/i.test(positive)) return 'date'
  if (/[hs]/i.test(positive)) return 'time'
  return /m/i.test(positive) ? 'date' : null
}

const dayMs = 86_400_000

/** Formats a serial number: days since 1900 (with its famous leap day) or 1904, with the time as the fraction. */
export function formatSerialDate(serial: number, kind: 'date' | 'time', is1904: boolean): string {
  if (kind === 'time' && serial >= 0 && serial < 1)
    return new Date(Math.round(serial * 86_400) * 1000).toISOString().slice(11, 19)
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const ms = Math.round(((days - 25_569) * dayMs) / 1000) * 1000
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return String(serial)
  const text = new Date(ms).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
