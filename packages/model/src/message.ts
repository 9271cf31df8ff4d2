import type { Translate, TextValues } from './translate.ts'

/** A catalog message with its values, stored as data and translated where the user's language is known. */
export interface Message {
  id: string
  /** English, in ICU syntax. */
  text: string
  values?: TextValues
}

/** `npm run gen` collects ids and texts into the catalog. Ids of errors are `errors.<area>.<name>`. */
export const message = (id: string, text: string, values?: TextValues): Message => ({
  id,
  text,
  ...(values && { values }),
})

/** Returns the message in the language of `say`. Text without an id, such as a database message, is returned unchanged. */
export const translateMessage = (what: string | Message, say: Translate): string =>
  typeof what === 'string' ? what : say(what.id, what.text, what.values)
