import { parseColor } from './color.ts'
import { storedRamps } from './stored-ramps.ts'

interface Ramp {
  label: string
  /** Both ends contrast with the background, and the middle represents zero. */
  isDiverging?: true
  light: readonly string[]
  dark: readonly string[]
}

/**
 * Ramps from low to high by name. Those of Parquetry have even steps for every type of color vision, and a low end that is close
 * to the background of its theme.
 */
export const ramps: Readonly<Record<string, Ramp>> = {
  lapis: {
    label: 'Lapis',
    light: '#eaf0fd #c0d4f8 #98b7f2 #729ae8 #507bda #315ccc #2145ae #19358b #112669'.split(' '),
    dark: '#212b42 #263a6a #2b4895 #345bbb #4874d2 #5e8ee9 #80acf7 #abcbfe #dbe9fe'.split(' '),
  },
  dawn: {
    label: 'Dawn',
    light: '#f8f3d1 #e5e1a8 #ced17f #81c088 #37a69a #00829e #225899 #2d3875 #271b4e'.split(' '),
    dark: '#2c2250 #303b75 #225899 #00829e #37a69a #7ec189 #ccd27c #e5e2a0 #fbf4c5'.split(' '),
  },
  'lapis-amber': {
    label: 'Lapis to amber',
    isDiverging: true,
    light: '#1a42a8 #3f6bc2 #6792db #a9c1e8 #edeef1 #e9c59f #e09a4d #b76f33 #8d481a'.split(' '),
    dark: '#a9cdff #77a5ef #4f7cd9 #3f5683 #2e3036 #6d4b2f #ab6829 #d49145 #fdbd63'.split(' '),
  },
  ...storedRamps,
}

/**
 * Returns the color at a position of a ramp.
 * @param name as stored in forms; `lapis` if unknown
 * @param index from 0 to 1
 */
export function rampColor(name: string, index: number, theme: 'light' | 'dark'): string {
  const steps = (Object.hasOwn(ramps, name) ? ramps[name] : ramps.lapis)?.[theme] ?? []
  const place = Math.min(1, Math.max(0, index)) * (steps.length - 1)
  const [low, high] = [steps[Math.floor(place)] ?? '', steps[Math.ceil(place)] ?? '']
  return mixColors(low, high, place - Math.floor(place))
}

/** Mixes two colors: 0 is the first, 1 the other. */
export function mixColors(one: string, other: string, part: number): string {
  const [from, to] = [parseColor(one), parseColor(other)]
  if (!from || !to) return one
  const sum = from.map((value, i) => Math.round(value + ((to[i] ?? value) - value) * part))
  return `#${sum.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
