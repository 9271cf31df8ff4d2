import { escapeHtml } from '../resolve/text.ts'
import { textWidth } from './text-width.ts'

/** Minimum letter width relative to the font size, which limits how many letters can fit. */
const narrowest = 0.24

/** Cuts a text to a width, with an ellipsis when it is cut. */
export function truncateText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text
  let end = Math.min(text.length, Math.ceil(width / (size * narrowest)))
  while (end > 0 && textWidth(`${text.slice(0, end)}…`, size) > width) end -= 1
  return `${text.slice(0, end)}…`
}

export interface TextStyle {
  size: number
  fill: string
  weight?: number
  anchor?: 'start' | 'middle' | 'end'
}

/** @param beside text that follows on the same line, from `svgSpan` */
export const svgText = (
  x: number,
  y: number,
  text: string,
  { size, fill, weight = 400, anchor = 'start' }: TextStyle,
  beside: readonly string[] = [],
): string =>
  `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}" font-weight="${weight}" fill="${escapeHtml(fill)}" text-anchor="${anchor}" style="font-variant-numeric:tabular-nums">${escapeHtml(text)}${beside.join('')}</text>`

/** Returns a text directly behind another one, whatever its font. */
export const svgSpan = (text: string, gap: number, fill: string, size: number): string =>
  `<tspan dx="${round(gap)}" font-size="${round(size)}" fill="${escapeHtml(fill)}">${escapeHtml(text)}</tspan>`

export const round = (value: number) => Math.round(value * 100) / 100
