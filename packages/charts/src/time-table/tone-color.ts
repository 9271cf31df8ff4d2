import { parseColor } from '../shared/colors/color.ts'
import type { ChartTheme } from '../resolve/theme.ts'

/** Red, gray and blue text colors that are readable on each background. */
const inks = {
  light: ['#b3201f', '#68645f', '#0a62a4'],
  dark: ['#f58b7c', '#999ba1', '#6db4ec'],
} as const

/** Returns the text color of a value by its position between the ends of its colors; the default text color without one. */
export function toneTextColor(tone: number | null, { name, text }: ChartTheme): string {
  if (tone === null) return text
  const [red, grey, blue] = inks[name]
  return tone < 0.5 ? mixColors(red, grey, tone * 2) : mixColors(grey, blue, tone * 2 - 1)
}

function mixColors(one: string, other: string, part: number): string {
  const [from, to] = [parseColor(one)!, parseColor(other)!]
  return `rgb(${from.map((value, index) => Math.round(value + (to[index]! - value) * part)).join(',')})`
}
