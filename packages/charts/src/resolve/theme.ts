import { parquetry } from '../shared/colors/schemes.ts'

/**
 * What a picture takes of the tokens (packages/ui `tokens.css`, which a test holds it against): a canvas and an SVG without a
 * browser cannot read CSS variables.
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
  /** Ink of a number that a rule calls yellow. */
  caution: string
  /** Part of an axis that is chosen, over the picture. */
  chosen: string
  /** Our own scheme on this ground, slot by slot as documents store it. */
  series: readonly string[]
  /** Cell grounds of conditional formats by the API's colour names (CTRL-101). */
  tints: Readonly<Record<'green' | 'yellow' | 'red', string>>
  /** Opacity of a colour that an author has chosen for cells, so that text stays readable on it. */
  tintOpacity: number
  font: string
}

const font = "'Inter Variable', Inter, system-ui, sans-serif"

/** Better and worse are teal and rust, with an arrow and a sign beside them. */
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
