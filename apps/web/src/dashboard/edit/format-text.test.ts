import { expect, it } from 'vitest'
import { formatText, type TextFormat } from './format-text.ts'

/** Applies a format to a text in which brackets `⟦⟧` or one `‸` mark the selection, and marks the new one. */
function format(kind: TextFormat, marked: string): string {
  const start = marked.search(/[⟦‸]/)
  const end = marked.includes('‸') ? start : marked.indexOf('⟧') - 1
  const text = marked.replaceAll(/[⟦⟧‸]/g, '')
  const edit = formatText(kind, { text, start, end }, 'Column')
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const inside = next.slice(edit.start, edit.end)
  return next.slice(0, edit.start) + (inside === '' ? '‸' : `⟦${inside}⟧`) + next.slice(edit.end)
}

it.each<[TextFormat, string, string]>([
  ['bold', 'a ⟦b c⟧ d', 'a **⟦b c⟧** d'],
  ['bold', 'a⟦ b ⟧c', 'a **⟦b⟧** c'],
  ['bold', 'a **⟦b⟧** c', 'a ⟦b⟧ c'],
  ['bold', 'a ⟦**b**⟧ c', 'a ⟦b⟧ c'],
  ['italic', 'mañ‸ana', '_⟦mañana⟧_'],
  ['strikethrough', 'a ‸', 'a ~~‸~~'],
  ['code', '⟦x⟧', '`⟦x⟧`'],
  ['code', 'a ⟦x\ny⟧', 'a \n\n```\n⟦x\ny⟧\n```'],
  ['link', 'see ⟦this⟧', 'see [this](⟦https://⟧)'],
  ['link', '⟦https://a.example/b⟧', '[‸](https://a.example/b)'],
  ['link', '‸', '[‸](https://)'],
  ['heading', 'a\nb‸c', 'a\n## bc‸'],
  ['heading', '### a‸', 'a‸'],
  ['list', '⟦a\n\n2. b⟧', '⟦- a\n\n- b⟧'],
  ['list', '- a‸', 'a‸'],
  ['tasks', '⟦- a\n- b⟧', '⟦- [ ] a\n- [ ] b⟧'],
  ['tasks', '⟦- [x] a\n- [ ] b⟧', '⟦a\nb⟧'],
  ['list', '- [x] a‸', '- a‸'],
  ['table', 'a‸', 'a\n\n| ⟦Column 1⟧ | Column 2 |\n| --- | --- |\n|  |  |\n|  |  |'],
  ['table', '‸b', '| ⟦Column 1⟧ | Column 2 |\n| --- | --- |\n|  |  |\n|  |  |\n\nb'],
])('DASH-005: formats text as %s: %s', (kind, before, after) => {
  expect(format(kind, before)).toBe(after)
})
