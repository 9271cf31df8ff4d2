import { readThemeColor } from './theme-color.ts'

export type ThemeMode = 'light' | 'dark'
export type TokenValue = string | number | boolean

/** A theme as Superset and Ant Design write it. Unknown tokens are kept; only those of `appliedTokens` have an effect. */
export interface ThemeDocument {
  token?: Record<string, TokenValue>
  components?: Record<string, Record<string, TokenValue>>
  algorithm?: string | string[]
  hashed?: boolean
  inherit?: boolean
}

type TokenKind = 'color' | 'font' | 'size'

/** Tokens that change the look of Parquetry, by the kind of their value. `docs/features/themes.md` says what each one changes. */
export const appliedTokens: Readonly<Record<string, TokenKind>> = {
  colorPrimary: 'color',
  colorPrimaryHover: 'color',
  colorPrimaryActive: 'color',
  colorTextLightSolid: 'color',
  colorLink: 'color',
  colorError: 'color',
  colorWarning: 'color',
  colorSuccess: 'color',
  colorInfo: 'color',
  colorBgBase: 'color',
  colorBgLayout: 'color',
  colorBgContainer: 'color',
  colorBgElevated: 'color',
  colorTextBase: 'color',
  colorText: 'color',
  colorTextSecondary: 'color',
  colorTextTertiary: 'color',
  colorTextQuaternary: 'color',
  colorBorder: 'color',
  colorBorderSecondary: 'color',
  borderRadius: 'size',
  fontFamily: 'font',
  fontFamilyCode: 'font',
}

/** Why a part of a theme is not stored. */
export type RemovalReason = 'color' | 'font' | 'size' | 'unsafe' | 'name' | 'type' | 'tooMany'

export interface RemovedPart {
  /** Such as `token.colorPrimary`. */
  path: string
  reason: RemovalReason
}

export type ThemeError =
  | { kind: 'json' }
  | { kind: 'object'; path: string }
  | { kind: 'algorithm' }
  | { kind: 'boolean'; path: string }

export type ReadTheme = { theme: ThemeDocument; removed: RemovedPart[]; error?: never } | { error: ThemeError }

const algorithms = ['default', 'dark', 'system', 'compact']
const maxTokens = 1000
const maxTextLength = 500
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that can end a declaration, load an address or run a script when a style sheet or page contains it. */
const unsafeText = /[;{}<>\\`@\p{Cc}]|url\s*\(|image(?:-set)?\s*\(|expression\s*\(|\/\*|javascript:|data:|:\/\/|^\/\//iu
const fontText = /^[\p{L}\p{N} ,'"_-]+$/u
const maxRadius = 32

function findRemovalReason(name: string, value: unknown): RemovalReason | undefined {
  if (!/^[a-z][\w-]{0,99}$/i.test(name)) return 'name'
  if (typeof value === 'boolean') return Object.hasOwn(appliedTokens, name) ? appliedTokens[name] : undefined
  if (typeof value !== 'string' && typeof value !== 'number') return 'type'
  const kind = Object.hasOwn(appliedTokens, name) ? appliedTokens[name] : undefined
  if (kind === 'color') return typeof value === 'string' && readThemeColor(value) ? undefined : 'color'
  if (kind === 'size') return typeof value === 'number' && value >= 0 && value <= maxRadius ? undefined : 'size'
  if (typeof value === 'number') return kind
  if (value.length > maxTextLength || unsafeText.test(value)) return 'unsafe'
  return kind === 'font' && !fontText.test(value) ? 'font' : undefined
}

function readTokens(tokens: Record<string, unknown>, path: string, removed: RemovedPart[]): Record<string, TokenValue> {
  const kept: [string, TokenValue][] = []
  for (const [name, value] of Object.entries(tokens)) {
    const reason = kept.length >= maxTokens ? 'tooMany' : findRemovalReason(name, value)
    if (reason === undefined) kept.push([name, value as TokenValue])
    else removed.push({ path: `${path}.${name.slice(0, 100)}`, reason })
  }
  return Object.fromEntries(kept)
}

function readAlgorithm(value: unknown): string | string[] | undefined {
  const listed = Array.isArray(value) ? (value as unknown[]) : [value]
  if (listed.length > algorithms.length || !listed.every((each) => algorithms.includes(each as string)))
    return undefined
  return value as string | string[]
}

/** Checks a theme and leaves out everything that is unsafe in a style sheet or that could not be applied. */
export function checkTheme(value: unknown): ReadTheme {
  if (!isRecord(value)) return { error: { kind: 'object', path: '' } }
  const removed: RemovedPart[] = []
  const theme: ThemeDocument = {}
  for (const [name, part] of Object.entries(value)) {
    if (name === 'token') {
      if (!isRecord(part)) return { error: { kind: 'object', path: 'token' } }
      theme.token = readTokens(part, 'token', removed)
    } else if (name === 'components') {
      if (!isRecord(part)) return { error: { kind: 'object', path: 'components' } }
      const components = Object.entries(part).flatMap(([component, tokens]): [string, Record<string, TokenValue>][] => {
        if (/^[a-z]\w{0,99}$/i.test(component) && isRecord(tokens))
          return [[component, readTokens(tokens, `components.${component}`, removed)]]
        removed.push({ path: `components.${component.slice(0, 100)}`, reason: 'type' })
        return []
      })
      theme.components = Object.fromEntries(components.slice(0, maxTokens))
    } else if (name === 'algorithm') {
      const algorithm = readAlgorithm(part)
      if (algorithm === undefined) return { error: { kind: 'algorithm' } }
      theme.algorithm = algorithm
    } else if (name === 'hashed' || name === 'inherit') {
      if (typeof part !== 'boolean') return { error: { kind: 'boolean', path: name } }
      theme[name] = part
    } else removed.push({ path: name.slice(0, 100), reason: 'name' })
  }
  return { theme, removed }
}

/** As `checkTheme`, for JSON text. */
export function readTheme(text: string): ReadTheme {
  try {
    return checkTheme(JSON.parse(text))
  } catch {
    return { error: { kind: 'json' } }
  }
}

/** The mode for which a theme chooses its backgrounds and texts. */
export const modeOfTheme = ({ algorithm }: ThemeDocument): ThemeMode =>
  (Array.isArray(algorithm) ? algorithm : [algorithm]).includes('dark') ? 'dark' : 'light'
