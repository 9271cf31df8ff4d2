import { controlTextIds, namedTextId } from '../catalog-ids.ts'
import type { Control } from '../define.ts'
import type { Messages } from '../resolve/text.ts'

/** Texts of a control by part. Values that are shown unchanged have none. */
export function collectControlTexts({
  label,
  description,
  options,
  configures,
  presets,
}: Control): Map<string, string> {
  const texts = new Map([['label', label]])
  if (description) texts.set('help', description)
  for (const [value, text] of Object.entries(options ?? {})) texts.set(`options.${value}`, text)
  for (const [key, text] of configures ?? []) texts.set(`configures.${key}`, text)
  for (const [value, text] of presets ?? [])
    if (text !== undefined && isTranslatable(text)) texts.set(`presets.${value}`, text)
  return texts
}

/** Excludes examples of formats, which are the same in each language. */
const isTranslatable = (text: string): boolean => /[a-z]{3}/i.test(text)

/** Translates the texts of a control; those without a translation stay in English. */
export function translateControl(control: Control, vizType: string, name: string, messages: Messages): Control {
  if (control.isVerbatim) return control
  const translate = (part: string, text: string): string => {
    const [own, shared] = controlTextIds(vizType, name, part)
    return messages[own] ?? messages[shared] ?? text
  }
  const { label, description, section, options, configures, presets } = control
  return {
    ...control,
    label: translate('label', label),
    ...(description && { description: translate('help', description) }),
    ...(section && { section: messages[namedTextId('section', section)] ?? section }),
    ...(options && {
      options: Object.fromEntries(
        Object.entries(options).map(([value, text]) => [value, translate(`options.${value}`, text)]),
      ),
    }),
    ...(configures && {
      configures: configures.map(([key, text]) => [key, translate(`configures.${key}`, text)] as const),
    }),
    ...(presets && {
      presets: presets.map(([value, text]) =>
        text === undefined ? ([value] as const) : ([value, translate(`presets.${value}`, text)] as const),
      ),
    }),
  }
}
