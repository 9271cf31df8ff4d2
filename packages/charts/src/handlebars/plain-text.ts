const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Extracts the text of HTML as lines, for output without HTML: each block begins a line, cells are separated. */
export function plainText(html: string): string[] {
  const text = html
    .replace(
      /<!--[\s\S]*?-->|<(script|style|svg|template|title|textarea|select|object|iframe)\b[\s\S]*?<\/\1\s*>/gi,
      '',
    )
    .replace(/\s+/g, ' ')
    .replace(/<\/?(?:td|th)\b[^>]*>/gi, '\t')
    .replace(/<\/?(?:span|b|i|em|strong|a|code|small|sub|sup|u|s|mark|abbr|img|kbd|time|var|q|samp)\b[^>]*>/gi, '')
    .replace(/<\/?[a-z][^>]*>/gi, '\n')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, ten?: string, sixteen?: string, name = '') => {
      const code = ten ? Number(ten) : sixteen ? Number.parseInt(sixteen, 16) : null
      if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      return Object.hasOwn(entities, name) ? entities[name]! : whole
    })
  return text
    .split('\n')
    .map((line) => line.replace(/[\t ]*\t[\t ]*/g, '   ').trim())
    .filter((line) => line !== '')
}
