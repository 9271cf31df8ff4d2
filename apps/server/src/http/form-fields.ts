import { AppError, message } from '@parquetry/model'
import { holdsNul, nulSentence } from './json-body.ts'

/** Maximum number of fields in one form; none of ours has a hundred. */
export const maxFormFields = 1000

export const tooManyFields = (): AppError =>
  new AppError('bad_request', {
    message: message('errors.http.tooManyFields', 'A form can have at most {max, number} fields.', {
      max: maxFormFields,
    }),
  })

/** Parses URL-encoded form fields; the first value of each name counts. @throws AppError `bad_request` */
export function urlencodedFields(text: string): Record<string, string> {
  let count = 1
  for (let index = text.indexOf('&'); index >= 0; index = text.indexOf('&', index + 1))
    if (++count > maxFormFields) throw tooManyFields()
  const fields = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(text)) {
    if (holdsNul(name + value)) throw new AppError('bad_request', { message: nulSentence })
    fields[name] ??= value
  }
  return fields
}
