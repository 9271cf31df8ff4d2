import type { Translate, TextValues } from './translate.ts'

/** A sentence of the message catalog with its values: data, so that it is translated where the language of the user is known. */
export interface Message {
  id: string
  /** English, in ICU syntax. */
  text: string
  values?: TextValues
}

/** `npm run gen` collects id and text into the catalog. Ids of errors are `errors.<area>.<name>`. */
export const message = (id: string, text: string, values?: TextValues): Message => ({
  id,
  text,
  ...(values && { values }),
})

/** The sentence in the language of `say`. A text without an id stays as it is: the words of a database, for example. */
export const translateMessage = (what: string | Message, say: Translate): string =>
  typeof what === 'string' ? what : say(what.id, what.text, what.values)
