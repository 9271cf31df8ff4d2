import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/inter/package.json'))
const inter = (name: string) => join(folder, name, `Inter_${name}.ttf`)

/** Inter by weight; Latin, Greek, Cyrillic and Vietnamese. */
export const interFiles = { 400: inter('400Regular'), 500: inter('500Medium'), 600: inter('600SemiBold') } as const

/** Where Debian's packages put Noto. */
const usualFolders = ['/usr/share/fonts/opentype/noto', '/usr/share/fonts/truetype/noto']

/** Fonts for what Inter lacks: of the folder that the administrator names, else Noto where Debian has it. In the order of their names. */
export function moreFonts(named: string | null): string[] {
  const found = (named === null ? usualFolders : [named]).flatMap((path) => {
    try {
      return readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ttf|otf|ttc)$/i.test(name))
        .map((name) => join(path, name))
    } catch {
      return []
    }
  })
  return found.toSorted()
}

/** Scripts and what the names of their fonts hold. */
const scripts: readonly (readonly [RegExp, RegExp])[] = [
  [/\p{Script=Arabic}/u, /arabic/i],
  [/\p{Script=Hebrew}/u, /hebrew/i],
  [/\p{Script=Devanagari}/u, /devanagari/i],
  [/\p{Script=Thai}/u, /thai/i],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, /cjk|han|jp|kr|sc|tc/i],
]

/** The files in which a sign is looked for, the likeliest first. */
export function candidates(sign: string, files: readonly string[]): string[] {
  const wanted = scripts.find(([script]) => script.test(sign))?.[1]
  const regular = files.filter((file) => /regular|[^a-z](vf|var)/i.test(file) && !/italic|mono|serif/i.test(file))
  const fitting = wanted ? regular.filter((file) => wanted.test(file)) : []
  return [...new Set([...fitting, ...regular])].slice(0, mostLookedAt)
}

/** Opening a font takes a moment. */
const mostLookedAt = 12

/** Signs that Inter has no letters for: beyond Latin, Greek, Cyrillic, and common punctuation. */
export const needsMore = (text: string): boolean => /[\u0590-\u1CFF\u2E80-\uFAFF\u{10000}-\u{3FFFF}]/u.test(text)
