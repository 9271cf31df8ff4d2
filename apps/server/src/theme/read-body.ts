import { findContrastFaults, readTheme, type ThemeDocument, type ThemeError } from '@parquetry/charts'
import { message, type Message, type ThemePost } from '@parquetry/model'
import { FieldErrorCollector, invalidPayload, isJson, unprocessable } from '../http/writing.ts'

/** Error text for a theme that cannot be stored. */
export function describeThemeError(error: ThemeError): Message {
  if (error.kind === 'json') return message('errors.theme.json', 'Invalid JSON configuration')
  if (error.kind === 'algorithm')
    return message(
      'errors.theme.algorithm',
      'Invalid theme configuration: algorithm must be default, dark, system or compact, or a list of these.',
    )
  if (error.kind === 'boolean')
    return message('errors.theme.boolean', 'Invalid theme configuration: {path} must be true or false.', {
      path: error.path,
    })
  return error.path === ''
    ? message('errors.theme.document', 'Invalid theme configuration: the text must be a JSON object.')
    : message('errors.theme.object', 'Invalid theme configuration: {path} must be an object.', { path: error.path })
}

const maxRemoved = 100

/** A theme as it is stored, and the `result` of the call. @throws AppError `invalid_payload` */
export function readThemeBody(body: Pick<ThemePost, 'theme_name' | 'json_data'>) {
  const errors = new FieldErrorCollector(invalidPayload)
  const theme_name = body.theme_name.trim()
  if (theme_name === '') errors.add('theme_name', message('errors.theme.name', 'Theme name cannot be empty.'))
  const read = isJson(body.json_data) ? readTheme(body.json_data) : { error: { kind: 'json' } as const }
  if (read.error) errors.add('json_data', describeThemeError(read.error))
  errors.throwIfAny()
  const { theme, removed } = read as Exclude<typeof read, { error: ThemeError }>
  const row = { theme_name, json_data: JSON.stringify(theme) }
  const answer = { ...row, removed: removed.slice(0, maxRemoved), contrast_faults: findContrastFaults(theme) }
  return { row, theme, answer }
}

/** Every user must be able to read the pages. @throws AppError `unprocessable` that names the pairs with too little contrast */
export function requireContrast(theme: ThemeDocument): void {
  const faults = findContrastFaults(theme)
  if (faults.length === 0) return
  throw unprocessable(
    message(
      'errors.theme.contrast',
      'A system theme needs enough contrast. Change these pairs of colors and try again: {pairs}.',
      {
        pairs: faults
          .map(({ foreground, background, ratio, required }) => `${foreground} / ${background} ${ratio} < ${required}`)
          .join(', '),
      },
    ),
  )
}
