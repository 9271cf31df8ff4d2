import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { contrast } from '../colors/color.ts'
import { readThemeColor } from './theme-color.ts'
import { appliedTokens } from './theme-document.ts'
import { baseColors, findContrastFaults, resolveThemeVariables } from './theme-variables.ts'

const css = readFileSync(new URL('../../../../ui/src/theme/tokens.css', import.meta.url), 'utf8')

it.each(['light', 'dark'] as const)(
  'derives from the design tokens of %s mode, and sets only variables that exist',
  (mode) => {
    const found = [...css.matchAll(/^ +--([\w-]+): (#[\da-f]{6});/gm)].map(([, name = '', color = '']) => [name, color])
    const own = Object.fromEntries(mode === 'light' ? found.toReversed() : found) as Record<string, string>
    for (const [name, color] of Object.entries(baseColors[mode])) expect([name, own[name]]).toEqual([name, color])
    const token = Object.fromEntries(
      Object.entries(appliedTokens).map(([name, kind]) => [name, { color: '#336699', font: 'Georgia', size: 3 }[kind]]),
    )
    const variables = resolveThemeVariables([{ token, algorithm: mode === 'dark' ? 'dark' : 'default' }], mode)
    expect(Object.keys(variables).filter((name) => !css.includes(`  ${name}:`))).toEqual([])
  },
)

it.each([
  ['#F00', '#ff0000'],
  ['#ff000080', '#ff7f7f'],
  ['#f008', '#ff7777'],
  ['rgb(255, 0, 0)', '#ff0000'],
  ['rgba(0,0,0,0.88)', '#1f1f1f'],
  ['rgb(0 0 0 / 50%)', '#808080'],
  ['hsl(120, 100%, 50%)', '#00ff00'],
  ['hsl(240deg 100% 25% / 1)', '#000080'],
  ['Navy', '#000080'],
  ['transparent', undefined],
  ['rgb(1,2)', undefined],
  ['rgb(0,0,0,%)', undefined],
  ['#ff', undefined],
  ['constructor', undefined],
  ['rgb(1,2,3) red', undefined],
])('reads the color %s as %s', (text, color) => {
  expect(readThemeColor(text)).toBe(color)
})

it('a theme of nothing changes nothing', () => {
  for (const mode of ['light', 'dark'] as const) expect(resolveThemeVariables([{}, { token: {} }], mode)).toEqual({})
})

it('the colors of the brand hold in both modes; backgrounds and texts only in the mode of the theme', () => {
  const theme = { token: { colorPrimary: '#7a1fa2', colorBgBase: '#fffdf5', colorText: '#2a1a00', borderRadius: 6 } }
  const light = resolveThemeVariables([theme], 'light')
  expect(light).toMatchObject({
    '--accent': '#7a1fa2',
    '--on-accent': '#ffffff',
    '--surface': '#fffdf5',
    '--text': '#2a1a00',
    '--radius-1': '4px',
    '--radius-4': '12px',
  })
  const dark = resolveThemeVariables([theme], 'dark')
  expect(dark['--surface']).toBeUndefined()
  expect(dark['--text']).toBeUndefined()
  expect(dark['--accent']).not.toBe('#7a1fa2')
  expect(contrast(dark['--accent'] ?? '', baseColors.dark['surface'] ?? '')).toBeGreaterThanOrEqual(3)
  const darkTheme = { ...theme, algorithm: 'dark' }
  expect(resolveThemeVariables([darkTheme], 'light')['--surface']).toBeUndefined()
})

it('later themes win token by token', () => {
  const variables = resolveThemeVariables(
    [{ token: { colorPrimary: '#111111', colorError: '#990000' } }, { token: { colorPrimary: '#003366' } }],
    'light',
  )
  expect(variables).toMatchObject({ '--accent': '#003366', '--danger': '#990000' })
})

it('derived texts are readable on every background, whatever the brand', () => {
  for (const colorPrimary of ['#ffee00', '#000000', '#ffffff', '#00ff88', '#ff2200', '#7f7f7f', '#123456'])
    for (const mode of ['light', 'dark'] as const)
      for (const algorithm of ['default', 'dark']) {
        const variables = resolveThemeVariables(
          [{ token: { colorPrimary, colorError: colorPrimary }, algorithm }],
          mode,
        )
        const color = (name: string) => variables[`--${name}`] ?? baseColors[mode][name] ?? ''
        for (const ground of ['surface', 'bg', 'raised', 'sunken', 'hover', 'accent-soft', 'accent-soft-2'])
          expect(contrast(color('accent-text'), color(ground))).toBeGreaterThanOrEqual(4.5)
        for (const name of ['accent', 'danger'])
          expect(contrast(color(`on-${name}`), color(name))).toBeGreaterThanOrEqual(4.5)
        expect(contrast(color('danger-text'), color('danger-soft'))).toBeGreaterThanOrEqual(4.5)
        expect(contrast(color('focus'), color('surface'))).toBeGreaterThanOrEqual(3)
      }
})

it('names each pair with too little contrast, and by how much', () => {
  expect(
    findContrastFaults({ token: { colorPrimary: '#1f6f54', colorBgBase: '#ffffff', colorText: '#222222' } }),
  ).toEqual([])
  expect(findContrastFaults({ token: { colorText: '#aaaaaa' } })).toContainEqual({
    foreground: 'colorText',
    background: 'colorBgContainer',
    colors: ['#aaaaaa', '#ffffff'],
    ratio: 2.32,
    required: 4.5,
  })
  expect(findContrastFaults({ token: { colorPrimary: '#ffee00' } }).map(({ foreground }) => foreground)).toEqual([
    'colorPrimary',
  ])
  const dark = findContrastFaults({ token: { colorLink: '#223344' }, algorithm: 'dark' })
  expect(dark.map(({ foreground, background }) => `${foreground} on ${background}`)).toEqual([
    'colorLink on colorBgContainer',
  ])
})

it('fonts that the reader lacks are replaced by those of the product, unless the theme names a generic one', () => {
  const fontOf = (fontFamily: string) => resolveThemeVariables([{ token: { fontFamily } }], 'light')['--font']
  expect(fontOf('Georgia')).toBe("'Georgia', 'Inter Variable', system-ui, sans-serif")
  expect(fontOf("Georgia, 'Times New Roman', serif")).toBe("'Georgia', 'Times New Roman', serif")
})
