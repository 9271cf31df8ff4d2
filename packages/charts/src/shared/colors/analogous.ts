import { luminance, parseColor, toHex } from './color.ts'

/** Number of rounds before hues repeat: a full turn of the color wheel. */
export const analogousRounds = 30

/** Degrees between neighboring hues, as in the API's own client. */
const step = 12

/** Minimum saturation of the new color, so that a gray gets a hue. */
const minSaturation = 0.25

/** Luminance with a contrast of at least 3:1 to the backgrounds of both themes; lighter colors stay lighter. */
const targetLuminance = (lightness: number): number => 0.135 + 0.16 * lightness

/**
 * Returns a neighbor of a color on the color wheel that can be seen in both themes, for labels beyond the colors of a scheme
 * (PERM-038).
 * @param color  of the scheme
 * @param round  1 is the nearest neighbor, 2 the one on the other side, and so on; 0 returns the color itself
 */
export function analogousColor(color: string, round: number): string {
  const parts = round > 0 && parseColor(color)
  if (!parts) return color
  const [hue, saturation, lightness] = toHsl(parts)
  const turn = Math.ceil(round / 2) * step * (round % 2 === 1 ? 1 : -1)
  const turned = (light: number) => fromHsl(hue + turn, Math.max(saturation, minSaturation), light)
  let [low, high] = [0, 1]
  while (high - low > 0.001) {
    const middle = (low + high) / 2
    if (luminance(turned(middle)) < targetLuminance(lightness)) low = middle
    else high = middle
  }
  return turned(high)
}

function toHsl([red, green, blue]: readonly [number, number, number]): [
  hue: number,
  saturation: number,
  light: number,
] {
  const [r, g, b] = [red / 255, green / 255, blue / 255]
  const [least, most] = [Math.min(r, g, b), Math.max(r, g, b)]
  const [light, range] = [(least + most) / 2, most - least]
  if (range === 0) return [0, 0, light]
  const sector = most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  return [sector * 60, range / (1 - Math.abs(2 * light - 1)), light]
}

function fromHsl(hue: number, saturation: number, light: number): string {
  const chroma = saturation * Math.min(light, 1 - light)
  const channel = (offset: number) => {
    const place = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (light - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1)))
  }
  return toHex({ r: channel(0), g: channel(8), b: channel(4) })
}
