import { parquetry } from '../shared/colors/schemes.ts'

/**
 * Design tokens used in charts (packages/ui `tokens.css`, verified by a test), since neither a canvas nor an SVG without a
 * browser can read CSS variables.
 */
export interface ChartTheme {
  name: 'light' | 'dark'
  surface: string
  raised: string
  sunken: string
  border: string
  text: string
  text2: string
  text3: string
  accent: string
  axis: string
  grid: string
  tick: string
  good: string
  bad: string
  /** Text color of numbers that a rule marks as yellow. */
  caution: string
  /** Overlay of the selected range of an axis. */
  chosen: string
  /** Parquetry's color scheme in this theme, in the order of the colors stored in documents. */
  series: readonly string[]
  /** Cell backgrounds of conditional formats, by color name of the API (CTRL-101). */
  tints: Readonly<Record<'green' | 'yellow' | 'red', string>>
  /** Opacity of custom cell colors that keeps text readable. */
  tintOpacity: number
  font: string
}

const font = "'Inter Variable', Inter, system-ui, sans-serif"

/** Themes. Increase and decrease are teal and rust, and additionally have an arrow and a sign. */
export const themes: Record<ChartTheme['name'], ChartTheme> = {
  light: {
    name: 'light',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#f3f1ef',
    border: '#e1dfdc',
    text: '#211d1a',
    text2: '#54504c',
    text3: '#68645f',
    accent: '#3157cb',
    axis: '#93908d',
    grid: '#e7e6e3',
    tick: '#605b57',
    good: '#1f7a6d',
    bad: '#921d02',
    caution: '#8a6100',
    chosen: 'rgba(49,87,203,.12)',
    series: parquetry.light,
    tints: { green: '#cdeeda', yellow: '#fbe7b0', red: '#fbd5d3' },
    tintOpacity: 0.25,
    font,
  },
  dark: {
    name: 'dark',
    surface: '#18191c',
    raised: '#1f2024',
    sunken: '#0a0b0d',
    border: '#2b2c31',
    text: '#ecedef',
    text2: '#b4b6ba',
    text3: '#999ba1',
    accent: '#4469df',
    axis: '#67696e',
    grid: '#26282b',
    tick: '#a7a9ae',
    good: '#7de5c9',
    bad: '#f0906a',
    caution: '#e8c15a',
    chosen: 'rgba(68,105,223,.25)',
    series: parquetry.dark,
    tints: { green: '#1f4a31', yellow: '#5a431a', red: '#662b29' },
    tintOpacity: 0.35,
    font,
  },
}
