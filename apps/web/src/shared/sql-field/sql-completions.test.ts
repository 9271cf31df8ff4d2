import { expect, it } from 'vitest'
import { insertCompletion, wordBefore, suggestCompletions, type SqlName } from './sql-completions.ts'

const names: SqlName[] = ['delay', 'Arrival delay', 'order'].map((name) => ({
  name,
  label: name === 'order' ? 'Delayed order' : null,
  icon: 'number',
  note: '',
}))
const texts = (word: string, options?: Parameters<typeof suggestCompletions>[2]) =>
  suggestCompletions(word, names, options).map(({ text }) => text)

it('offers names that contain the typed text, prefix matches first, in the quotes of the engine', () => {
  expect(texts('del')).toEqual(['delay', '"Arrival delay"', 'order'])
  expect(texts('arr', { quote: '`' })).toEqual(['`Arrival delay`'])
})

it('offers aggregates and keywords, but not for a word that is already complete', () => {
  expect(texts('su')).toEqual(['SUM('])
  expect(texts('coa')).toEqual(['COALESCE'])
  expect(texts('when')).toEqual([])
  expect(texts('or')).toEqual(['order'])
})

it('reads the word before the caret with its opening quote', () => {
  expect(wordBefore('SUM(del', 7)).toBe('del')
  expect(wordBefore('SUM(`Arr', 8)).toBe('`Arr')
  expect(wordBefore('SUM(1 + ', 8)).toBe('')
})

it('offers templates by a part of their name and inserts them with the braces that were typed', () => {
  const templates = [{ name: 'current_username', text: "'{{ current_username() }}'", note: '' }]
  expect(texts('user', { templates })).toEqual(["'{{ current_username() }}'"])
  expect([texts('us', { templates }), texts('"user', { templates })]).toEqual([[], []])
  const insert = (typed: string) => {
    const caret = typed.indexOf('|')
    const inserted = insertCompletion(typed.replace('|', ''), caret, "'{{ current_username() }}'")
    return `${inserted.value.slice(0, inserted.caret)}|${inserted.value.slice(inserted.caret)}`
  }
  expect(insert('a = user| OR b')).toBe("a = '{{ current_username() }}'| OR b")
  expect(insert("a = '{{ user|")).toBe("a = '{{ current_username() }}|")
  expect(insert("a = '{{user| }}'")).toBe("a = '{{ current_username() }}|'")
})
