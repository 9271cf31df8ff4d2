/** Parts of times in d3 and in spreadsheets. */
const timeParts: Readonly<Record<string, string>> = {
  Y: 'yyyy',
  y: 'yy',
  m: 'mm',
  B: 'mmmm',
  b: 'mmm',
  d: 'dd',
  e: 'd',
  A: 'dddd',
  a: 'ddd',
  H: 'hh',
  I: 'hh',
  M: 'mm',
  S: 'ss',
  L: '000',
  p: 'AM/PM',
}

/** Returns the format of a spreadsheet for a d3 format of numbers or times; null if spreadsheets have none like it, such as `.3s`. */
export function toExcelFormat(format: string | null | undefined): string | null {
  if (!format) return null
  return format.includes('%') && !format.endsWith('%') ? toTimeFormat(format) : toNumberFormat(format)
}

function toNumberFormat(format: string): string | null {
  const [, sign = '', symbol = '', comma = '', digits, trim = '', type = ''] =
    /^([-+(]?)(\$?)(,?)(?:\.(\d{1,2}))?(~?)([dfe%]?)$/i.exec(format) ?? []
  if (type === '' || (type === 'd' && digits !== undefined)) return null
  const count = type === 'd' ? 0 : Number(digits ?? 6)
  const decimals = count === 0 ? '' : `.${(trim === '' ? '0' : '#').repeat(count)}`
  const whole = comma === '' ? '0' : '#,##0'
  const end = type === '%' ? '%' : type.toLowerCase() === 'e' ? 'E+00' : ''
  const positive = `${symbol}${whole}${decimals}${end}`
  if (sign === '+') return `+${positive};-${positive};${positive}`
  return sign === '(' ? `${positive};(${positive})` : positive
}

function toTimeFormat(format: string): string | null {
  let isKnown = true
  const code = format.replaceAll(/%-?(\w)|([a-z]+)/gi, (_, part: string | undefined, word: string | undefined) => {
    if (word !== undefined) return `"${word}"`
    const found = timeParts[part!]
    if (found === undefined) isKnown = false
    return found ?? ''
  })
  return isKnown && !/["'\\;[\]]/.test(code.replaceAll(/"[a-z]+"/gi, '')) ? code : null
}
