import type { Translate } from '@parquetry/ui'
import { findCssError } from './css-error.ts'

/** Error message if the structure of the style sheet is broken; browsers drop such rules silently. */
export function cssErrorText(t: Translate, css: string): string | undefined {
  const error = findCssError(css)
  if (error === null) return undefined
  const { line } = error
  switch (error.reason) {
    case 'unclosed-block':
      return t('shared.css.unclosedBlock', 'Line {line}: this block is not closed with a brace', { line })
    case 'unopened-block':
      return t('shared.css.unopenedBlock', 'Line {line}: this brace closes no block', { line })
    case 'unclosed-comment':
      return t('shared.css.unclosedComment', 'Line {line}: this comment is not closed', { line })
    case 'unclosed-string':
      return t('shared.css.unclosedString', 'Line {line}: this string is not closed', { line })
  }
}
