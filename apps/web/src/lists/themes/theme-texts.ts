import { readTheme, type ContrastFault, type RemovedPart, type ThemeError } from '@parquetry/charts'
import type { Translate } from '@parquetry/ui'
import { jsonErrorText } from '../../shared/json-error.ts'

/** Why a text is not a theme; undefined if it is one. */
export function themeErrorText(text: string, t: Translate): string | undefined {
  const fault = jsonErrorText(text, t)
  if (fault !== undefined) return fault
  const { error } = readTheme(text)
  return error && describe(error, t)
}

function describe(error: ThemeError, t: Translate): string {
  if (error.kind === 'algorithm')
    return t('lists.themes.algorithm', 'algorithm must be default, dark, system or compact, or a list of these')
  if (error.kind === 'boolean') return t('lists.themes.boolean', '{path} must be true or false', { path: error.path })
  const path = error.kind === 'object' ? error.path : ''
  return path === ''
    ? t('lists.themes.document', 'Enter a JSON object, such as {example}', {
        example: '{ "token": { "colorPrimary": "#1f6f54" } }',
      })
    : t('lists.themes.object', '{path} must be an object', { path })
}

/** Names a part of a theme that will not be saved, and the reason. */
export function removedText({ path, reason }: RemovedPart, t: Translate): string {
  const why = {
    color: t('lists.themes.removed.color', 'not a color such as #1f6f54, rgb(31, 111, 84) or hsl(160, 56%, 28%)'),
    font: t('lists.themes.removed.font', 'not a list of font names'),
    size: t('lists.themes.removed.size', 'not a number from 0 to 32'),
    unsafe: t('lists.themes.removed.unsafe', 'could load an address or change other styles'),
    name: t('lists.themes.removed.name', 'not part of a theme'),
    type: t('lists.themes.removed.type', 'not text, a number, true or false'),
    tooMany: t('lists.themes.removed.tooMany', 'the theme has too many tokens'),
  }[reason]
  return t('lists.themes.removed', '{path} will be left out: {why}', { path, why })
}

export const contrastText = ({ foreground, background, ratio, required }: ContrastFault, t: Translate): string =>
  t('lists.themes.pair', '{foreground} on {background}: contrast {ratio, number}, needs {required, number}', {
    foreground,
    background,
    ratio,
    required,
  })
