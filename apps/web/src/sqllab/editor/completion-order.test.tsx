import { autocompletion, completionStatus, currentCompletions, startCompletion } from '@codemirror/autocomplete'
import { sql as sqlLanguage } from '@codemirror/lang-sql'
import { EditorView } from '@codemirror/view'
import { expect, it } from 'vitest'
import { completeSql, type CompletionTable } from './completion.ts'
import { dialectOf } from './dialects.ts'
import { parseSegments, statementAt } from './statements.ts'

const dialect = dialectOf('duckdb')
const cars: CompletionTable = {
  name: 'cars',
  columns: ['class_origin', 'origin'].map((name) => ({ name, type: 'TEXT' })),
}

/** The list shown for this text: the options that CodeMirror keeps, in its order. */
async function shown(doc: string, functions: readonly string[]): Promise<string[]> {
  const known = {
    dialect,
    schemas: ['main'],
    tables: [cars],
    isComplete: true,
    tablesOf: () => undefined,
    want: () => {},
    functions,
    past: [],
    statement: (cursor: number) => statementAt(parseSegments(doc, dialect.name), cursor),
  }
  const view = new EditorView({
    doc,
    selection: { anchor: doc.length },
    extensions: [sqlLanguage({ dialect: dialect.language }), autocompletion({ override: [completeSql(() => known)] })],
  })
  try {
    startCompletion(view)
    await expect.poll(() => completionStatus(view.state)).toBe('active')
    return currentCompletions(view.state).map(({ label }) => label)
  } finally {
    view.destroy()
  }
}

it('regression: before FROM, columns of the known tables come first, and prefix matches before other matches', async () => {
  expect((await shown('select ori', ['orient', 'factorial'])).slice(0, 3)).toEqual(['origin', 'orient', 'class_origin'])
})

it('regression: matches at the start of a word come before matches inside a word', async () => {
  const found = await shown('select ori', ['factorial', 'a_very_long_name_of_origin'])
  expect(found.indexOf('a_very_long_name_of_origin')).toBeLessThan(found.indexOf('factorial'))
  expect(found).toContain('factorial')
})
