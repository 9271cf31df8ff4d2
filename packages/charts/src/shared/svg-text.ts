import { escapeHtml } from '../resolve/text.ts'
import { textWidth } from './text-width.ts'

/** Of a letter, in parts of the size: no text of more letters than this fits. */
const narrowest = 0.24

/** The text cut to a width, with an ellipsis where it was cut. */
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

/** @param beside what follows it on its line, `spanOf` */
export const svgText = (
  x: number,
  y: number,
  text: string,
  { size, fill, weight = 400, anchor = 'start' }: TextStyle,
  beside: readonly string[] = [],
): string =>
  `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}" style="font-variant-numeric:tabular-nums">${escapeHtml(text)}${beside.join('')}</text>`

/** A text right behind another one, whatever its font. */
export const svgSpan = (text: string, gap: number, fill: string, size: number): string =>
  `<tspan dx="${round(gap)}" font-size="${round(size)}" fill="${fill}">${escapeHtml(text)}</tspan>`

export const round = (value: number) => Math.round(value * 100) / 100
