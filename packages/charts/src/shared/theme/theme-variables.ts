import { contrast } from '../colors/color.ts'
import { mixColors } from '../colors/ramps.ts'
import { readThemeColor } from './theme-color.ts'
import { appliedTokens, modeOfTheme, type ThemeDocument, type ThemeMode, type TokenValue } from './theme-document.ts'

/** CSS variables of `packages/ui/src/theme/tokens.css` with the values of a theme. */
export type ThemeVariables = Record<string, string>

/** Colors of Parquetry's own look from which others are derived; equal to `tokens.css`, verified by a test. */
export const baseColors: Readonly<Record<ThemeMode, Readonly<Record<string, string>>>> = {
  light: {
    bg: '#faf9f7',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#f3f1ef',
    hover: '#f0eeeb',
    press: '#e7e5e1',
    text: '#211d1a',
    'text-2': '#54504c',
    'text-3': '#68645f',
    accent: '#3157cb',
    'accent-text': '#2c51c4',
  },
  dark: {
    bg: '#101013',
    surface: '#18191c',
    raised: '#1f2024',
    sunken: '#0a0b0d',
    hover: '#222327',
    press: '#2b2c31',
    text: '#ecedef',
    'text-2': '#b4b6ba',
    'text-3': '#999ba1',
    accent: '#4469df',
    'accent-text': '#8aaef9',
  },
}

/** Share of the text color that is mixed into the surface, by variable. */
const shares: Readonly<Record<ThemeMode, Readonly<Record<string, number>>>> = {
  light: {
    bg: 0.02,
    raised: 0,
    sunken: 0.055,
    hover: 0.065,
    press: 0.105,
    border: 0.135,
    'border-strong': 0.23,
    'text-off': 0.45,
    'chart-grid': 0.11,
    'chart-axis': 0.49,
  },
  dark: {
    bg: 0,
    raised: 0.035,
    sunken: 0,
    hover: 0.05,
    press: 0.09,
    border: 0.09,
    'border-strong': 0.18,
    'text-off': 0.35,
    'chart-grid': 0.06,
    'chart-axis': 0.37,
  },
}
const textShares = { 'text-2': 0.77, 'text-3': 0.68, 'chart-tick': 0.72 }

/** Tokens of the brand apply in both modes. Backgrounds, texts and borders apply in the mode for which the theme is made. */
const brandTokens: ReadonlySet<string> = new Set([
  'colorPrimary',
  'colorError',
  'colorWarning',
  'colorSuccess',
  'colorInfo',
  'borderRadius',
  'fontFamily',
  'fontFamilyCode',
])

type Tokens = Readonly<Record<string, TokenValue>>

/** Tokens of several themes for one mode; later themes win. */
function mergeTokens(themes: readonly ThemeDocument[], mode: ThemeMode): Tokens {
  const merged: Record<string, TokenValue> = {}
  for (const theme of themes)
    for (const [name, value] of Object.entries(theme.token ?? {}))
      if (Object.hasOwn(appliedTokens, name) && (brandTokens.has(name) || modeOfTheme(theme) === mode))
        merged[name] = value
  return merged
}

/** Moves a color towards black or white until it has the contrast to every ground. */
function ensureContrast(color: string, grounds: readonly string[], ratio: number, mode: ThemeMode): string {
  const lowest = (candidate: string) => Math.min(...grounds.map((ground) => contrast(candidate, ground)))
  const isEnough = (candidate: string) => lowest(candidate) >= ratio
  const target =
    lowest('#000000') > lowest('#ffffff') || (lowest('#000000') === lowest('#ffffff') && mode === 'light')
      ? '#000000'
      : '#ffffff'
  for (let step = 0; step <= 50; step++) {
    const candidate = mixColors(color, target, step / 50)
    if (isEnough(candidate)) return candidate
  }
  return target
}

const readableOn = (ground: string): string =>
  contrast(ground, '#000000') > contrast(ground, '#ffffff') ? '#000000' : '#ffffff'

const isGeneric = (family: string): boolean => /^(?:(?:ui-)?(?:sans-)?serif|(?:ui-)?monospace|system-ui)$/.test(family)

/** Fonts and radii are the same in both modes. */
function shapeVariables(tokens: Tokens): ThemeVariables {
  const found: ThemeVariables = {}
  for (const [token, variable, fallback] of [
    ['fontFamily', '--font', "'Inter Variable', system-ui, sans-serif"],
    ['fontFamilyCode', '--mono', 'monospace'],
  ] as const) {
    const value = tokens[token]
    if (typeof value !== 'string') continue
    const families = value
      .split(',')
      .map((family) => family.replaceAll(/['"]/g, '').trim())
      .filter((family) => family !== '')
      .map((family) => (/^[a-z-]+$/.test(family) ? family : `'${family}'`))
    // Readers who lack these fonts see those of the product.
    found[variable] = families.some(isGeneric) ? families.join(', ') : [...families, fallback].join(', ')
  }
  const radius = tokens['borderRadius']
  if (typeof radius === 'number')
    for (const [level, factor] of [2 / 3, 1, 4 / 3, 2].entries())
      found[`--radius-${level + 1}`] = `${Math.round(radius * factor)}px`
  return found
}

/** Colors that a theme has in one mode. */
class Palette {
  readonly #tokens: Tokens
  readonly #base: Readonly<Record<string, string>>
  readonly mode: ThemeMode
  readonly colors: Record<string, string> = {}

  constructor(tokens: Tokens, mode: ThemeMode) {
    this.#tokens = tokens
    this.mode = mode
    this.#base = baseColors[mode]
  }

  /** The color of the first of these tokens that the theme sets. */
  token(...names: string[]): string | undefined {
    for (const name of names) {
      const value = this.#tokens[name]
      const color = typeof value === 'string' ? readThemeColor(value, this.get('surface')) : undefined
      if (color !== undefined) return color
    }
    return undefined
  }

  /** A color of the theme, or of Parquetry's own look. */
  get(name: string): string {
    return this.colors[name] ?? this.#base[name] ?? '#808080'
  }

  /** Backgrounds of text. */
  get grounds(): string[] {
    return ['surface', 'bg', 'raised', 'sunken', 'hover'].map((name) => this.get(name))
  }

  set(name: string, color: string | undefined): void {
    if (color !== undefined) this.colors[name] = color
  }
}

const neutralTokens = [
  'colorBgBase',
  'colorBgContainer',
  'colorBgLayout',
  'colorBgElevated',
  'colorTextBase',
  'colorText',
]

function addNeutrals(palette: Palette): void {
  palette.set('surface', palette.token('colorBgContainer', 'colorBgBase'))
  palette.set('text', palette.token('colorText', 'colorTextBase'))
  if (palette.token(...neutralTokens) !== undefined) {
    const [surface, text] = [palette.get('surface'), palette.get('text')]
    for (const [name, share] of Object.entries(shares[palette.mode])) palette.set(name, mixColors(surface, text, share))
    if (palette.mode === 'dark') {
      palette.set('bg', mixColors(surface, '#000000', 0.35))
      palette.set('sunken', mixColors(surface, '#000000', 0.6))
    }
    palette.set('bg', palette.token('colorBgLayout'))
    palette.set('raised', palette.token('colorBgElevated'))
    for (const [name, share] of Object.entries(textShares))
      palette.set(name, ensureContrast(mixColors(surface, text, share), palette.grounds, 4.5, palette.mode))
    palette.set('border-control', ensureContrast(mixColors(surface, text, 0.42), palette.grounds, 3, palette.mode))
  }
  palette.set('text-2', palette.token('colorTextSecondary'))
  palette.set('text-3', palette.token('colorTextTertiary'))
  palette.set('text-off', palette.token('colorTextQuaternary'))
  palette.set('border-strong', palette.token('colorBorder'))
  palette.set('border', palette.token('colorBorderSecondary', 'colorBorder'))
}

function addAccent(palette: Palette, isOwnMode: boolean): void {
  const { mode } = palette
  const primary = palette.token('colorPrimary')
  const toText = mode === 'light' ? '#000000' : '#ffffff'
  const isNeutral = palette.colors['surface'] !== undefined
  const soft = (accent: string, share: number) => mixColors(palette.get('surface'), accent, share)
  if (primary !== undefined || isNeutral) {
    const given = primary ?? palette.get('accent')
    // A color that was chosen for the other mode is adapted to this one.
    const accent = isOwnMode && primary !== undefined ? given : ensureContrast(given, [palette.get('surface')], 3, mode)
    palette.set('accent', accent)
    palette.set('on-accent', readableOn(accent))
    const towards = palette.get('on-accent') === '#ffffff' ? '#000000' : '#ffffff'
    palette.set('accent-hover', mixColors(accent, towards, 0.12))
    palette.set('accent-press', mixColors(accent, towards, 0.24))
    palette.set('accent-soft', soft(accent, mode === 'light' ? 0.1 : 0.2))
    palette.set('accent-soft-2', soft(accent, mode === 'light' ? 0.2 : 0.32))
    const grounds = [...palette.grounds, palette.get('accent-soft'), palette.get('accent-soft-2')]
    palette.set('accent-text', ensureContrast(mixColors(accent, toText, 0.04), grounds, 4.5, mode))
    palette.set('focus', ensureContrast(accent, palette.grounds, 3, mode))
  }
  palette.set('accent-hover', palette.token('colorPrimaryHover'))
  palette.set('accent-press', palette.token('colorPrimaryActive'))
  palette.set('on-accent', palette.token('colorTextLightSolid'))
  palette.set('accent-text', palette.token('colorLink'))
}

function addStates(palette: Palette, isOwnMode: boolean): void {
  const { mode } = palette
  for (const [token, name] of [
    ['colorError', 'danger'],
    ['colorWarning', 'warning'],
    ['colorSuccess', 'success'],
    ['colorInfo', 'info'],
  ] as const) {
    const given = palette.token(token)
    if (given === undefined) continue
    const color = isOwnMode ? given : ensureContrast(given, [palette.get('surface')], 3, mode)
    palette.set(name, color)
    palette.set(`on-${name}`, readableOn(color))
    palette.set(`${name}-soft`, mixColors(palette.get('surface'), color, mode === 'light' ? 0.1 : 0.2))
    const grounds = [...palette.grounds, palette.get(`${name}-soft`)]
    palette.set(`${name}-text`, ensureContrast(color, grounds, 4.5, mode))
  }
}

function buildPalette(themes: readonly ThemeDocument[], mode: ThemeMode): Palette {
  const tokens = mergeTokens(themes, mode)
  const palette = new Palette(tokens, mode)
  const setsPrimary = themes.findLast(({ token }) => token?.['colorPrimary'] !== undefined)
  const isOwnMode = setsPrimary === undefined || modeOfTheme(setsPrimary) === mode
  addNeutrals(palette)
  addAccent(palette, isOwnMode)
  addStates(palette, isOwnMode)
  return palette
}

/**
 * Variables that the tokens of themes change in one mode; later themes win. Every value is written from numbers and names that were
 * parsed, so no text of a theme reaches a style sheet.
 */
export function resolveThemeVariables(themes: readonly ThemeDocument[], mode: ThemeMode): ThemeVariables {
  const { colors } = buildPalette(themes, mode)
  return {
    ...Object.fromEntries(Object.entries(colors).map(([name, color]) => [`--${name}`, color])),
    ...shapeVariables(mergeTokens(themes, mode)),
  }
}

/** A pair of colors with too little contrast. */
export interface ContrastFault {
  /** Tokens, or variables of Parquetry's own look that the theme does not set. */
  foreground: string
  background: string
  colors: [foreground: string, background: string]
  ratio: number
  /** Ratio that WCAG 2.2 AA requires. */
  required: number
}

const pairs: readonly (readonly [token: string, variable: string, onToken: string, on: string, required: number])[] = [
  ['colorText', 'text', 'colorBgContainer', 'surface', 4.5],
  ['colorText', 'text', 'colorBgLayout', 'bg', 4.5],
  ['colorText', 'text', 'colorBgElevated', 'raised', 4.5],
  ['colorTextSecondary', 'text-2', 'colorBgContainer', 'surface', 4.5],
  ['colorTextSecondary', 'text-2', 'colorBgLayout', 'bg', 4.5],
  ['colorTextTertiary', 'text-3', 'colorBgContainer', 'surface', 4.5],
  ['colorTextTertiary', 'text-3', 'colorBgLayout', 'bg', 4.5],
  ['colorLink', 'accent-text', 'colorBgContainer', 'surface', 4.5],
  ['colorTextLightSolid', 'on-accent', 'colorPrimary', 'accent', 4.5],
  ['colorTextLightSolid', 'on-accent', 'colorPrimaryHover', 'accent-hover', 4.5],
  ['colorTextLightSolid', 'on-accent', 'colorPrimaryActive', 'accent-press', 4.5],
  ['colorPrimary', 'accent', 'colorBgContainer', 'surface', 3],
  ['colorError', 'danger', 'colorBgContainer', 'surface', 3],
  ['colorWarning', 'warning', 'colorBgContainer', 'surface', 3],
  ['colorSuccess', 'success', 'colorBgContainer', 'surface', 3],
  ['colorInfo', 'info', 'colorBgContainer', 'surface', 3],
]

/** Pairs of a theme, in the mode for which it is made, that have less contrast than WCAG 2.2 AA requires. */
export function findContrastFaults(theme: ThemeDocument): ContrastFault[] {
  const palette = buildPalette([theme], modeOfTheme(theme))
  return pairs.flatMap(([foreground, name, background, onName, required]) => {
    if (palette.colors[name] === undefined && palette.colors[onName] === undefined) return []
    const colors: [string, string] = [palette.get(name), palette.get(onName)]
    if (/^(?:danger|warning|success|info)$/.test(name) && palette.colors[name] === undefined) return []
    const ratio = contrast(...colors)
    // Rounded down, so that a pair that fails never looks as if it passed.
    return ratio >= required ? [] : [{ foreground, background, colors, ratio: Math.floor(ratio * 100) / 100, required }]
  })
}
