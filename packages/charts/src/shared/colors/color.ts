/** Parses red, green, blue from 0 to 255; null for text that is not a `#rgb`, `#rrggbb` or `rgb()` color (CTRL-034). */
export function parseColor(color: string): [red: number, green: number, blue: number] | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color)?.[1]
  if (hex) {
    const long = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
    return [0, 2, 4].map((index) => Number.parseInt(long.slice(index, index + 2), 16)) as [number, number, number]
  }
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(color)
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : null
}

/**
 * Returns true for a CSS color (name, hex digits or function) and nothing else, because the text is used in attributes and
 * styles.
 */
export const isColor = (text: string): boolean =>
  /^(?:#[\da-f]{3,8}|[a-z]{1,30}|(?:rgb|hsl)a?\([\d\s.,%/+-]{1,100}\))$/i.test(text)

/** Returns a color in the format that the API stores for color pickers. */
export const toHex = ({ r, g, b }: { r: number; g: number; b: number }): string =>
  `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance of WCAG 2.2, 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = (parseColor(color) ?? [128, 128, 128]).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Returns black or white, whichever is more readable on this background. */
export const textColorOn = (ground: string): string =>
  contrast(ground, '#000000') >= contrast(ground, '#ffffff') ? '#000000' : '#ffffff'

export function withAlpha(color: string, alpha: number): string {
  const parts = parseColor(color)
  return parts ? `rgba(${parts.join(',')},${alpha})` : color
}
