import { parseColor, toHex } from '../colors/color.ts'
import { mixColors } from '../colors/ramps.ts'

type Channels = [red: number, green: number, blue: number]

const names: Readonly<Record<string, string>> = {
  black: '#000000',
  silver: '#c0c0c0',
  gray: '#808080',
  grey: '#808080',
  white: '#ffffff',
  maroon: '#800000',
  red: '#ff0000',
  purple: '#800080',
  fuchsia: '#ff00ff',
  magenta: '#ff00ff',
  green: '#008000',
  lime: '#00ff00',
  olive: '#808000',
  yellow: '#ffff00',
  navy: '#000080',
  blue: '#0000ff',
  teal: '#008080',
  aqua: '#00ffff',
  cyan: '#00ffff',
  orange: '#ffa500',
}

const part = '(\\d{1,3}(?:\\.\\d{1,9})?)'
const end = '(?:[ ,/]+((?:\\d{1,3}(?:\\.\\d{1,9})?|\\.\\d{1,9})%?))? *\\)$'
const rgbPattern = new RegExp(`^rgba?\\( *${part}[ ,]+${part}[ ,]+${part} *${end}`)
const hslPattern = new RegExp(`^hsla?\\( *${part}(?:deg)?[ ,]+${part}%[ ,]+${part}% *${end}`)

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max)

function fromHsl(hue: number, saturation: number, lightness: number): Channels {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const step = (offset + hue / 30) % 12
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(step - 3, 9 - step, 1)))
  }) as Channels
}

function readOpacity(text: string | undefined): number {
  if (!text) return 1
  return clamp(text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(text), 1)
}

function readChannels(color: string): { channels: Channels; opacity: number } | undefined {
  const hex = /^#(?:([\da-f]{6})([\da-f]{2})?|([\da-f]{3})([\da-f])?)$/.exec(color)
  if (hex) {
    const [, long, longOpacity, short, shortOpacity] = hex
    const opacity = longOpacity ?? (shortOpacity ?? 'f').repeat(2)
    const channels = parseColor(`#${long ?? short}`)
    return channels ? { channels, opacity: long && !longOpacity ? 1 : Number.parseInt(opacity, 16) / 255 } : undefined
  }
  const rgb = rgbPattern.exec(color)
  if (rgb)
    return {
      channels: rgb.slice(1, 4).map((text) => clamp(Number(text), 255)) as Channels,
      opacity: readOpacity(rgb[4]),
    }
  const hsl = hslPattern.exec(color)
  if (!hsl) return undefined
  const [hue = 0, saturation = 0, lightness = 0] = hsl.slice(1, 4).map(Number)
  return {
    channels: fromHsl(hue % 360, clamp(saturation, 100) / 100, clamp(lightness, 100) / 100),
    opacity: readOpacity(hsl[4]),
  }
}

const format = ([r, g, b]: Channels): string => toHex({ r, g, b })

/**
 * Reads `#rgb` and `#rrggbb` (with or without opacity), `rgb()`, `hsl()` and the basic color names.
 * @param ground  color behind a transparent one
 * @returns `#rrggbb`; undefined for other texts
 */
export function readThemeColor(text: string, ground = '#ffffff'): string | undefined {
  const color = text.trim().toLowerCase()
  if (color.length > 80) return undefined
  if (Object.hasOwn(names, color)) return names[color]
  const found = readChannels(color)
  if (!found) return undefined
  return found.opacity === 1 ? format(found.channels) : mixColors(ground, format(found.channels), found.opacity)
}
