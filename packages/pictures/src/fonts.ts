import * as fontkit from 'fontkit'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/inter/package.json'))
const inter = (name: string) => join(folder, name, `Inter_${name}.ttf`)

/** Inter by weight; Latin, Greek, Cyrillic and Vietnamese. */
export const interFiles = { 400: inter('400Regular'), 500: inter('500Medium'), 600: inter('600SemiBold') } as const
type Weight = keyof typeof interFiles

/** A font in its file. */
export interface Face {
  file: string
  /** Of a file that holds several. */
  postscriptName: string | null
  isInter: boolean
  font: fontkit.Font
}

/** A piece of a text that one font has the letters for. */
export interface TextRun {
  text: string
  face: Face
}

/** Fonts that were opened, by their files; files that cannot be read are null. */
const faces = new Map<string, Face | null>()

/** Chooses fonts for the signs of a picture. Each is opened once, those beyond Inter when a sign asks for one. */
export class Fonts {
  readonly #named: string | null
  readonly #others = new Map<string, Face | null>()
  #files: string[] | null = null

  /** @param named  a folder of more fonts */
  constructor(named: string | null) {
    this.#named = named
  }

  /** The text in pieces; a sign that no font has is Inter's, which draws a box. */
  splitRuns(text: string, weight: number): TextRun[] {
    const own: Weight = weight >= 550 ? 600 : weight >= 450 ? 500 : 400
    const inter = open(interFiles[own])
    if (!inter) throw new Error('The font Inter is missing.')
    const runs: TextRun[] = []
    for (const sign of text) {
      const face = hasGlyph(inter, sign) ? inter : (this.#other(sign) ?? inter)
      const last = runs.at(-1)
      if (last?.face === face) last.text += sign
      else runs.push({ text: sign, face })
    }
    return runs
  }

  #other(sign: string): Face | null {
    const known = this.#others.get(sign)
    if (known !== undefined) return known
    this.#files ??= listFontFiles(this.#named)
    const found = listCandidates(sign, this.#files)
      .map((file) => open(file))
      .find((face) => face && hasGlyph(face, sign))
    this.#others.set(sign, found ?? null)
    return found ?? null
  }
}

/** Of a collection the first one; null for a file that cannot be read. */
function open(file: string): Face | null {
  const known = faces.get(file)
  if (known !== undefined) return known
  let face: Face | null = null
  try {
    const opened = fontkit.openSync(file)
    const font = 'fonts' in opened ? opened.fonts[0] : opened
    if (font)
      face = {
        file,
        postscriptName: 'fonts' in opened ? font.postscriptName : null,
        isInter: font.familyName.startsWith('Inter'),
        font,
      }
  } catch {
    // it has no letters
  }
  faces.set(file, face)
  return face
}

const hasGlyph = ({ font }: Face, sign: string): boolean => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 32)

/** Where Debian's packages put Noto. */
const usualFolders = ['/usr/share/fonts/opentype/noto', '/usr/share/fonts/truetype/noto']

/** Fonts for what Inter lacks: of the folder that the administrator names, else Noto where Debian has it. In the order of their names. */
function listFontFiles(named: string | null): string[] {
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
function listCandidates(sign: string, files: readonly string[]): string[] {
  const wanted = scripts.find(([script]) => script.test(sign))?.[1]
  const regular = files.filter((file) => /regular|[^a-z](vf|var)/i.test(file) && !/italic|mono|serif/i.test(file))
  const fitting = wanted ? regular.filter((file) => wanted.test(file)) : []
  const plainFirst = fitting.toSorted((a, b) => Number(/sans/i.test(b)) - Number(/sans/i.test(a)))
  return [...new Set([...plainFirst, ...regular])].slice(0, maxCandidates)
}

/** Opening a font takes a moment. */
const maxCandidates = 12
