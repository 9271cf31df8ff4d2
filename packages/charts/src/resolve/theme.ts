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
    font,
  },
}

/** Cell tints of conditional formats by the API's colour names (CTRL-101). */
export const tints: Record<ChartTheme['name'], Record<'green' | 'yellow' | 'red', string>> = {
  light: { green: '#cdeeda', yellow: '#fbe7b0', red: '#fbd5d3' },
  dark: { green: '#1f4a31', yellow: '#5a431a', red: '#662b29' },
}
