import * as fontkit from 'fontkit'
import { candidates, interFiles, moreFonts } from '../fonts.ts'

interface Shapes {
  hasGlyphForCodePoint(code: number): boolean
}
interface Collection {
  fonts?: { postscriptName: string }[]
}

/** A piece of a text that one font has the letters for. */
export interface Run {
  text: string
  font: string
}

/** Chooses fonts for the signs of a document. Each is opened once, those beyond Inter when a sign asks for one. */
export class Letters {
  readonly #doc: PDFKit.PDFDocument
  readonly #named: string | null
  readonly #shapes = new Map<string, Shapes>()
  readonly #fallback = new Map<string, string | null>()
  #files: string[] | null = null

  constructor(doc: PDFKit.PDFDocument, named: string | null) {
    this.#doc = doc
    this.#named = named
    for (const [weight, file] of Object.entries(interFiles)) doc.registerFont(weight, file)
  }

  runsOf(text: string, weight: number): Run[] {
    const own = weight >= 550 ? '600' : weight >= 450 ? '500' : '400'
    const runs: Run[] = []
    for (const sign of text) {
      const font = this.#has(own, sign) ? own : (this.#other(sign) ?? own)
      const last = runs.at(-1)
      if (last?.font === font) last.text += sign
      else runs.push({ text: sign, font })
    }
    return runs
  }

  #has(font: string, sign: string): boolean {
    return this.#open(font)?.hasGlyphForCodePoint(sign.codePointAt(0) ?? 32) === true
  }

  #open(font: string): Shapes | undefined {
    const known = this.#shapes.get(font)
    if (known) return known
    const { _font: opened } = this.#doc.font(font) as unknown as { _font: { font: Shapes } }
    this.#shapes.set(font, opened.font)
    return opened.font
  }

  #other(sign: string): string | null {
    const known = this.#fallback.get(sign)
    if (known !== undefined) return known
    this.#files ??= moreFonts(this.#named)
    const found = candidates(sign, this.#files).find((file) => this.#register(file) && this.#has(file, sign)) ?? null
    this.#fallback.set(sign, found)
    return found
  }

  /** A file that cannot be read has no letters. */
  #register(file: string): boolean {
    if (this.#shapes.has(file)) return true
    try {
      this.#doc.registerFont(file, file, ...familyIn(file))
      return this.#open(file) !== undefined
    } catch {
      return false
    }
  }
}

/** Of a collection the first font. */
const familyIn = (file: string): [] | [string] => (/\.ttc$/i.test(file) ? [firstOfCollection(file)] : [])

function firstOfCollection(file: string): string {
  const opened = fontkit.openSync(file) as Collection
  return opened.fonts?.[0]?.postscriptName ?? ''
}
