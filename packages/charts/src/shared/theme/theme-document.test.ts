import { checkCases } from '@parquetry/model/testing/random'
import { expect, it } from 'vitest'
import { checkTheme, modeOfTheme, readTheme } from './theme-document.ts'
import { resolveThemeVariables } from './theme-variables.ts'

const read = (token: object) => {
  const result = checkTheme({ token })
  if (result.error) throw new Error(result.error.kind)
  return result
}

it('keeps what Superset writes: known and unknown tokens, components, algorithms', () => {
  const theme = {
    token: { colorPrimary: '#2893b3', brandLogoAlt: 'Acme', borderRadius: 4, fontWeightStrong: 600, motion: false },
    components: { Button: { colorPrimary: 'rgb(1, 2, 3)', algorithm: true } },
    algorithm: ['dark', 'compact'],
    hashed: false,
    inherit: true,
  }
  expect(readTheme(JSON.stringify(theme))).toEqual({ theme, removed: [] })
  expect(modeOfTheme(theme)).toBe('dark')
  expect(modeOfTheme({})).toBe('light')
})

it.each([
  ['{', { kind: 'json' }],
  ['[]', { kind: 'object', path: '' }],
  ['null', { kind: 'object', path: '' }],
  ['{"token":[]}', { kind: 'object', path: 'token' }],
  ['{"components":1}', { kind: 'object', path: 'components' }],
  ['{"algorithm":"bright"}', { kind: 'algorithm' }],
  ['{"algorithm":[{"a":1}]}', { kind: 'algorithm' }],
  ['{"hashed":"yes"}', { kind: 'boolean', path: 'hashed' }],
])('refuses %s', (text, error) => {
  expect(readTheme(text)).toEqual({ error })
})

const hostile = [
  'red; background: url(https://evil.example/x)',
  'url(https://evil.example/x)',
  'URL (//evil.example/x)',
  'u\\72l(https://evil.example)',
  'image-set("https://evil.example/x" 1x)',
  'red} body { display: none',
  '</style><script>alert(1)</script>',
  'expression(alert(1))',
  'javascript:alert(1)',
  'data:image/svg+xml,<svg onload=alert(1)>',
  '@import "https://evil.example"',
  '//evil.example/font.woff2',
  'red /* comment',
  'a\nb: c',
  '#fff\u0000',
]

it.each(hostile)('removes the value %j from every kind of token', (value) => {
  for (const name of ['colorPrimary', 'fontFamily', 'borderRadius', 'brandLogoUrl', 'somethingNew']) {
    const { theme, removed } = read({ [name]: value })
    expect(theme.token).toEqual({})
    expect(removed.map(({ path }) => path)).toEqual([`token.${name}`])
  }
  const { theme } = checkTheme({ components: { Button: { colorPrimary: value } } }) as { theme: object }
  expect(theme).toEqual({ components: { Button: {} } })
})

it('removes addresses of fonts, nested values, unknown parts and names that are none', () => {
  const result = checkTheme(
    JSON.parse(`{"token":{"__proto__":"x","a b":"x","fontUrls":["https://evil.example"],"deep":{"a":1},"constructor":"x"},
      "cssVar":true,"__proto__":{"token":{}}}`),
  )
  expect(result).toEqual({
    theme: { token: { constructor: 'x' } },
    removed: [
      { path: 'token.__proto__', reason: 'name' },
      { path: 'token.a b', reason: 'name' },
      { path: 'token.fontUrls', reason: 'type' },
      { path: 'token.deep', reason: 'type' },
      { path: 'cssVar', reason: 'name' },
      { path: '__proto__', reason: 'name' },
    ],
  })
})

it('property: no text of a theme reaches the value of a variable', async () => {
  const parts = [...hostile, '#fff', 'rgb(1,2,3)', 'Inter', "'", '"', ';', '}', '(', ')', ',', '1', '-', '\\', 'url']
  await checkCases(200, ({ pick, int }) => {
    const text = Array.from({ length: 1 + int(4) }, () => pick(parts)).join(pick(['', ' ']))
    const token = { colorPrimary: text, colorText: text, fontFamily: text, fontFamilyCode: text, colorBgBase: text }
    const { theme } = read(token)
    for (const mode of ['light', 'dark'] as const)
      for (const [name, value] of Object.entries(resolveThemeVariables([theme, { token: theme.token ?? {} }], mode)))
        expect(value).toMatch(
          name.startsWith('--font') || name === '--mono'
            ? /^(?:'[\p{L}\p{N} _-]+'|[a-z-]+)(?:, (?:'[\p{L}\p{N} _-]+'|[a-z-]+))*$/u
            : /^#[\da-f]{6}$/,
        )
  })
})
