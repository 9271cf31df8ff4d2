/** A CSS color converted for PDF. */
export interface PdfColor {
  color: [red: number, green: number, blue: number]
  alpha: number
}

const names: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000', red: '#ff0000', gray: '#808080' }

/** Returns null for `none` and for invisible colors. */
export function parseColor(text: string | undefined): PdfColor | null {
  const named = names[text?.trim().toLowerCase() ?? ''] ?? text?.trim() ?? ''
  const [, long] = /^#([\da-f]{6}(?:[\da-f]{2})?)$/i.exec(named) ?? []
  const [, short] = /^#([\da-f]{3,4})$/i.exec(named) ?? []
  const hex = long ?? (short ? [...short].map((sign) => sign + sign).join('') : undefined)
  if (hex) {
    const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.match(/../g) ?? []).map((pair) =>
      Number.parseInt(pair, 16),
    )
    return { color: [red, green, blue], alpha: alpha / 255 }
  }
  const [, inside] = /^rgba?\(([^)]+)\)$/i.exec(named) ?? []
  if (inside === undefined) return null
  const [red = 0, green = 0, blue = 0, alpha = 1] = inside.split(/[\s,/]+/).map(Number)
  return alpha > 0 ? { color: [red, green, blue], alpha } : null
}
