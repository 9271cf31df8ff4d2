import { parse, tokenize } from '@huggingface/jinja'
import { message } from '@parquetry/model/message'
import { TemplateError, tooDeep } from './errors.ts'

/** Maximum length of all tags together: parsing them costs a hundred times as much as the text between them. */
const maxTags = 32_000
/** Maximum nesting of brackets, which the library parses recursively. */
const maxDepth = 100
/** Maximum consecutive blanks in a string of a tag: the library searches ahead from each of them. */
const maxBlanks = 200

const tagsTooLong = message('errors.templates.tagsTooLong', 'The tags of the template are too long.')

const rawBegin = /\{%-?\s*raw\s*-?%\}/y
const rawEnd = /\{%-?\s*endraw\s*-?%\}/g

export type Program = ReturnType<typeof parse>

/**
 * Parses a template with the library. The library only receives the tags, because it reads text character by character, and
 * blanks in quadratic time. It does not support raw blocks: their content is treated as text.
 * @throws TemplateError, or the library's plain errors
 */
export function parseTemplate(template: string): Program {
  const { source, texts } = splitTags(template.endsWith('\n') ? template.slice(0, -1) : template)
  const tokens = tokenize(source, {})
  for (const token of tokens)
    if (token.type === 'Text')
      token.value = token.value.replace(/T(\d+);/g, (_: string, at: string) => texts[Number(at)] ?? '')
  return parse(tokens)
}

/** @returns the tags, with `T0;` and so on in place of the text between them */
function splitTags(template: string): { source: string; texts: string[] } {
  const texts: string[] = []
  const pieces: string[] = []
  let size = 0
  let isTrimmed = false
  let hasRaw = true
  const addText = (text: string) => {
    if (text !== '') pieces.push(`T${texts.push(text) - 1};`)
  }
  for (let index = 0; index < template.length;) {
    const open = nextTag(template, index)
    const isTight = template[open + 2] === '-'
    const before = template.slice(index, open)
    const after = isTrimmed ? before.trimStart() : before
    addText(isTight ? after.trimEnd() : after)
    if (open === template.length) break
    isTrimmed = false
    rawBegin.lastIndex = open
    const raw = hasRaw ? rawBegin.exec(template) : null
    if (raw) {
      rawEnd.lastIndex = open + raw[0].length
      const end = rawEnd.exec(template)
      hasRaw = end !== null
      if (end) {
        addText(template.slice(open + raw[0].length, end.index))
        index = end.index + end[0].length
        continue
      }
    }
    if (template[open + 1] === '#') {
      const end = template.indexOf('#}', open + 2)
      if (end < 0) throw new TemplateError(message('errors.templates.comment', 'Missing end of comment tag'))
      index = end + 2
      isTrimmed = end > open + 2 && template[end - 1] === '-'
      continue
    }
    const tag = readTag(template, open)
    index = tag.end
    isTrimmed = template[index - 3] === '-'
    size += tag.text.length
    if (size > maxTags) throw new TemplateError(tagsTooLong)
    pieces.push(tag.text)
  }
  return { source: pieces.join(''), texts }
}

/** Position of the next tag; the length of the text when there is none. */
function nextTag(template: string, from: number): number {
  for (let index = template.indexOf('{', from); index >= 0; index = template.indexOf('{', index + 1))
    if ('{%#'.includes(template[index + 1] ?? 'none')) return index
  return template.length
}

const blank = /\s+/y

/** A tag with its white space collapsed, except in strings. */
function readTag(template: string, open: number): { text: string; end: number } {
  const isExpression = template[open + 1] === '{'
  let text = template.slice(open, open + 2)
  let braces = 0
  let depth = 0
  for (let index = open + 2; index < template.length && text.length <= maxTags;) {
    const sign = template[index] as string
    const pair = template.slice(index, index + 2)
    if (pair === '%}' || (pair === '}}' && isExpression && braces === 0)) return { text: text + pair, end: index + 2 }
    blank.lastIndex = index
    const blanks = blank.exec(template)
    if (blanks) {
      text += ' '
      index += blanks[0].length
      continue
    }
    const end = sign === "'" || sign === '"' ? findQuoteEnd(template, index) : index + 1
    if (sign === '{') braces += 1
    else if (sign === '}' && braces > 0) braces -= 1
    if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) depth -= 1
    if (depth > maxDepth) throw tooDeep()
    text += template.slice(index, end)
    index = end
  }
  throw new TemplateError(
    text.length > maxTags ? tagsTooLong : message('errors.templates.end', 'Unexpected end of template'),
  )
}

function findQuoteEnd(template: string, start: number): number {
  let blanks = 0
  for (let index = start + 1; index < template.length && index - start <= maxTags; index++) {
    const sign = template[index] as string
    if (sign === template[start]) return index + 1
    blanks = /\s/.test(sign) ? blanks + 1 : 0
    if (blanks > maxBlanks)
      throw new TemplateError(
        message('errors.templates.spaces', 'A string in a template tag contains too many consecutive spaces.'),
      )
    if (sign === '\\') index += 1
  }
  return template.length
}
