import * as fontkit from 'fontkit'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/inter/package.json'))
const inter = (name: string) => join(folder, name, `Inter_${name}.ttf`)

/** Inter by weight; Latin, Greek, Cyrillic and Vietnamese. */
export const interFiles = { 400: inter('400Regular'), 500: inter('500Medium'), 600: inter('600SemiBold') } as const
type Weight = keyof typeof interFiles

/** A font and its file. */
export interface Face {
  file: string
  /** Name of the font in a file with several. */
  postscriptName: string | null
  isInter: boolean
  font: fontkit.Font
}

/** Part of a text that a single font can display. */
export interface TextRun {
  text: string
  face: Face
}

/** Opened fonts by file; null for unreadable files. */
const faces = new Map<string, Face | null>()

/**
 * Chooses fonts for the characters of an image. Each font is opened once; fonts other than Inter are opened when a character
 * needs them.
 */
export class Fonts {
  readonly #named: string | null
  readonly #others = new Map<string, Face | null>()
  #files: string[] | null = null

  /** @param named  folder with additional fonts */
  constructor(named: string | null) {
    this.#named = named
  }

  /** True if an SVG contains text with characters that no font has. */
  lacksGlyphs(svg: string): boolean {
    const inter = open(interFiles[400])
    return [...svg.matchAll(/<(?:text|tspan)\b[^>]*>([^<]*)/g)].some(
      ([, text = '']) =>
        !isAscii.test(text) &&
        [...text].some((sign) => !(inter && hasGlyph(inter, sign)) && !isInvisible.test(sign) && !this.#other(sign)),
    )
  }

  /** Splits a text by font. Characters that no font has use Inter, which draws a box. */
  splitRuns(text: string, weight: number): TextRun[] {
    const own: Weight = weight >= 550 ? 600 : weight >= 450 ? 500 : 400
    const inter = open(interFiles[own])
    if (!inter) throw new Error('The font Inter is missing.')
    const runs: TextRun[] = []
    for (const sign of text) {
      const before = runs.at(-1)
      if (isInvisible.test(sign) && !(before && hasGlyph(before.face, sign))) continue
      const face = hasGlyph(inter, sign) ? inter : (this.#other(sign) ?? inter)
      const last = runs.at(-1)
      if (last?.face === face) last.text += sign
      else runs.push({ text: sign, face })
    }
    return joinPhrases(runs)
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

/** Opens a font file, or the first font of a collection; null if it cannot be read. */
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
    // An unreadable file provides no glyphs.
  }
  faces.set(file, face)
  return face
}

const isAscii = /^[ -~\s]*$/
/** Joiners, variants and skin tones, which only affect the character before them. */
const isInvisible = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/u
const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const isNeutral = /^[\s\p{P}]+$/u

/** Joins words that are written from right to left with the spaces between them, since a run is ordered as a whole. */
function joinPhrases(runs: readonly TextRun[]): TextRun[] {
  const joined: TextRun[] = []
  for (const run of runs) {
    const [before, between] = [joined.at(-2), joined.at(-1)]
    const isPhrase =
      before?.face === run.face &&
      isRightToLeft.test(before.text) &&
      isRightToLeft.test(run.text) &&
      between !== undefined &&
      isNeutral.test(between.text) &&
      [...between.text].every((sign) => hasGlyph(run.face, sign))
    if (isPhrase) {
      joined.pop()
      before.text += between.text + run.text
    } else joined.push({ ...run })
  }
  return joined
}

const hasGlyph = ({ font }: Face, sign: string): boolean => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 32)

/** Folders in which Debian packages install Noto. */
const usualFolders = ['/usr/share/fonts/opentype/noto', '/usr/share/fonts/truetype/noto']

/** DejaVu Sans, which comes with nearly every Linux: Arabic, Hebrew, symbols and faces. Other fonts are preferred. */
const commonFile = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

/**
 * Returns additional font files, sorted by name: from the administrator's folder, else Noto if Debian's packages are installed.
 */
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

/** Scripts, with patterns for the file names of their fonts. */
const scripts: readonly (readonly [RegExp, RegExp])[] = [
  [/\p{Script=Arabic}/u, /arabic/i],
  [/\p{Script=Hebrew}/u, /hebrew/i],
  [/\p{Script=Devanagari}/u, /devanagari/i],
  [/\p{Script=Thai}/u, /thai/i],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, /cjk|han|jp|kr|sc|tc/i],
]

/** Returns the files to search for a character, most likely first. */
function listCandidates(sign: string, files: readonly string[]): string[] {
  const wanted = scripts.find(([script]) => script.test(sign))?.[1]
  const regular = files.filter((file) => /regular|[^a-z](vf|var)/i.test(file) && !/italic|mono|serif/i.test(file))
  const fitting = wanted ? regular.filter((file) => wanted.test(file)) : []
  const plainFirst = fitting.toSorted((a, b) => Number(/sans/i.test(b)) - Number(/sans/i.test(a)))
  return [...new Set([...plainFirst, ...regular].slice(0, maxCandidates)), commonFile]
}

/** Limited because opening a font takes time. */
const maxCandidates = 12
