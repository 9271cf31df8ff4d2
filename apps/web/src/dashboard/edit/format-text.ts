/** A text and what is selected in it. */
export interface SelectedText {
  text: string
  start: number
  end: number
}

export type TextFormat = 'bold' | 'italic' | 'strikethrough' | 'code' | 'link' | 'heading' | 'list' | 'tasks' | 'table'

/** Replaces a part of a text; `start` and `end` are the selection in the new text. */
export interface TextEdit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

const marks = { bold: '**', italic: '_', strikethrough: '~~', code: '`' } as const

/** Applies a format of Markdown to the selection, or takes it away if it is there. @param column name of a column in a new table */
export function formatText(format: TextFormat, selected: SelectedText, column: string): TextEdit {
  if (format === 'link') return insertLink(selected)
  if (format === 'table') return insertTable(selected, column)
  if (format === 'heading' || format === 'list' || format === 'tasks') return toggleLines(format, selected)
  const isCodeBlock = format === 'code' && selected.text.slice(selected.start, selected.end).includes('\n')
  return isCodeBlock ? insertBlock(selected, '```\n', '\n```') : toggleMark(marks[format], selected)
}

/** Without a selection, the word at the caret is marked. */
function selectWord({ text, start, end }: SelectedText): SelectedText {
  if (start !== end) return { text, start, end }
  const before = /[\p{L}\p{N}]*$/u.exec(text.slice(0, start))?.[0].length ?? 0
  const after = /^[\p{L}\p{N}]*/u.exec(text.slice(end))?.[0].length ?? 0
  return { text, start: start - before, end: end + after }
}

function toggleMark(mark: string, selected: SelectedText): TextEdit {
  const { text, start, end } = selectWord(selected)
  const inside = text.slice(start, end)
  const size = mark.length
  if (inside.length >= 2 * size && inside.startsWith(mark) && inside.endsWith(mark))
    return { from: start, to: end, insert: inside.slice(size, -size), start, end: end - 2 * size }
  if (text.slice(0, start).endsWith(mark) && text.slice(end).startsWith(mark))
    return { from: start - size, to: end + size, insert: inside, start: start - size, end: end - size }
  // Markdown reads no mark next to a space.
  const words = inside.trim()
  const index = start + (words === '' ? inside.length : inside.indexOf(words))
  return {
    from: index,
    to: index + words.length,
    insert: mark + words + mark,
    start: index + size,
    end: index + size + words.length,
  }
}

function insertLink(selected: SelectedText): TextEdit {
  const { text, start, end } = selectWord(selected)
  const words = text.slice(start, end)
  const placeholder = 'https://'
  if (/^https?:\/\/\S+$/.test(words))
    return { from: start, to: end, insert: `[](${words})`, start: start + 1, end: start + 1 }
  const address = start + words.length + 3
  return {
    from: start,
    to: end,
    insert: `[${words}](${placeholder})`,
    start: words === '' ? start + 1 : address,
    end: words === '' ? start + 1 : address + placeholder.length,
  }
}

const prefixes = { heading: '## ', list: '- ', tasks: '- [ ] ' } as const
const present = { heading: /^#{1,6} +/, list: /^[-*+] +(?!\[[ xX]\] )/, tasks: /^[-*+] +\[[ xX]\] +/ } as const
const anyPrefix = /^(?:#{1,6} +|[-*+] +(?:\[[ xX]\] +)?|\d+[.)] +)/

/** Puts the prefix before each selected line in place of another one, or removes it if all lines have it. */
function toggleLines(format: keyof typeof prefixes, { text, start, end }: SelectedText): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const filled = lines.filter((line) => line.trim() !== '')
  const isSet = filled.length > 0 && filled.every((line) => present[format].test(line))
  const insert = lines
    .map((line) =>
      line.trim() === '' && lines.length > 1 ? line : (isSet ? '' : prefixes[format]) + line.replace(anyPrefix, ''),
    )
    .join('\n')
  const caret = from + insert.length
  return { from, to, insert, start: start === end ? caret : from, end: caret }
}

/** Inserts a block on lines of its own around the selection. */
function insertBlock({ text, start, end }: SelectedText, before: string, after: string): TextEdit {
  const gapBefore = start === 0 || text[start - 1] === '\n' ? '' : '\n\n'
  const gapAfter = end === text.length || text[end] === '\n' ? '' : '\n\n'
  const at = start + gapBefore.length + before.length
  const inside = text.slice(start, end)
  return {
    from: start,
    to: end,
    insert: gapBefore + before + inside + after + gapAfter,
    start: at,
    end: at + inside.length,
  }
}

/** Inserts a table after the selection, with its first heading selected. */
function insertTable({ text, end }: SelectedText, column: string): TextEdit {
  const head = `${column} 1`
  const rest = ` | ${column} 2 |\n| --- | --- |\n|  |  |\n|  |  |`
  const before = text.slice(0, end)
  const gap = before.trim() === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const edit = insertBlock(
    { text: `${before}${gap}`, start: end + gap.length, end: end + gap.length },
    '| ',
    head + rest,
  )
  const isLast = text.slice(end).trim() === ''
  return {
    from: end,
    to: end,
    insert: gap + edit.insert + (isLast ? '' : '\n\n'),
    start: edit.start,
    end: edit.start + head.length,
  }
}
