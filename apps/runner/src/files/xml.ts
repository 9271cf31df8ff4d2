import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { SaxesParser } from 'saxes'

export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

const maxDepth = 100

/**
 * Parses XML as a stream, with names without their prefixes. Documents with a DOCTYPE are rejected, so the only entities are the
 * five of XML.
 * @param isDone  stops parsing
 * @throws AppError `unprocessable`
 */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  isDone: () => boolean = () => false,
): Promise<void> {
  const parser = new SaxesParser({ fragment: false })
  const refuse = (text: Message, cause?: unknown) => new AppError('unprocessable', { message: text, cause })
  let depth = 0
  parser.on('error', (error) => {
    throw refuse(message('errors.runner.workbookDamaged', 'The workbook is damaged.'), error)
  })
  parser.on('doctype', () => {
    throw refuse(
      message(
        'errors.runner.workbookDoctype',
        'The workbook contains a document type declaration, which is not allowed.',
      ),
    )
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > maxDepth) throw refuse(message('errors.runner.workbookDepth', 'The workbook is nested too deeply.'))
    handler.open?.(localName(name), attributes as Record<string, string>)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    handler.close?.(localName(name))
  })
  if (handler.text) parser.on('text', (text) => handler.text?.(text))
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    if (isDone()) return
  }
  if (!isDone()) parser.close()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
