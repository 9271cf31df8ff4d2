import { parsePattern } from '../../packages/model/src/translate.ts'

/** A language for developers: text that is not marked or does not fit is not ready for translation. Never offered to users. */
export const pseudoLocale = 'en-XA'

const accents = new Map(
  [...'AEIOUYaeiouycnCN'].map((letter, index) => [letter, [...'ÅÉÎÖÛÝåéîöûýçñÇÑ'][index] as string]),
)

/** Returns the English text with accents, a third longer and in brackets; placeholders and plural forms stay. */
export function pseudoLocalize(text: string): string {
  const letters = text.replaceAll(/\{[^{}]*\}/g, '').length
  return `⟦${accented(text)}${'·'.repeat(Math.ceil(letters / 3))}⟧`
}

const accented = (text: string): string =>
  parsePattern(text)
    .map((part) => {
      if (typeof part === 'string') return [...part].map((sign) => accents.get(sign) ?? sign).join('')
      if (!part.cases) return part.format ? `{${part.name}, ${part.format}}` : `{${part.name}}`
      const cases = Object.entries(part.cases).map(([key, own]) => `${key} {${accented(own)}}`)
      return `{${part.name}, plural, ${cases.join(' ')}}`
    })
    .join('')
