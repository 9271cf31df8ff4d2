import { englishTranslator, type Translate, type TextValues } from './translate.ts'

/** A catalog message with its values, stored as data and translated where the user's language is known. */
export interface Message {
  id: string
  /** English, in ICU syntax. */
  text: string
  values?: MessageValues
}

/** A value that is a message, such as the cause of an error, is translated with the message that contains it. */
export type MessageValues = Readonly<Record<string, TextValues[string] | Message>>

/** `npm run gen` collects ids and texts into the catalog. Ids of errors are `errors.<area>.<name>`. */
export const message = (id: string, text: string, values?: MessageValues): Message => ({
  id,
  text,
  ...(values && { values }),
})

/** Returns the message in the language of `say`. Text without an id, such as a database message, is returned unchanged. */
export function translateMessage(what: string | Message, say: Translate): string {
  if (typeof what === 'string') return what
  const values = Object.entries(what.values ?? {}).map(
    ([name, value]) => [name, isMessageValue(value) ? translateMessage(value, say) : value] as const,
  )
  return say(what.id, what.text, Object.fromEntries(values))
}

const isMessageValue = (value: MessageValues[string]): value is Message =>
  typeof value === 'object' && value !== null && 'id' in value

/** An error whose message can be translated. `message` is in English, for logs and tests. */
export class MessageError extends Error {
  readonly #sentence: string | Message
  constructor(sentence: string | Message, options?: ErrorOptions) {
    super(translateMessage(sentence, englishTranslator), options)
    this.#sentence = sentence
  }

  /** The message as it was given, to pass it on in another error or message. A string is not translated. */
  get sentence(): string | Message {
    return this.#sentence
  }
}
