import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import { parseSegments, reparseSegments, statementAt, type SqlSegment } from './statements.ts'

/** Accompanies a change of the dialect, by its name: the text is parsed again. */
export const dialectEffect = StateEffect.define<string>()

const read = (state: EditorState, dialect: string): { pieces: SqlSegment[]; dialect: string } => ({
  pieces: parseSegments(state.doc.toString(), dialect),
  dialect,
})

const field = StateField.define<{ pieces: SqlSegment[]; dialect: string }>({
  create: (state) => read(state, ''),
  update(value, { docChanged, changes, state, effects }) {
    const dialect = effects.find((effect) => effect.is(dialectEffect))?.value as string | undefined
    if (dialect !== undefined && dialect !== value.dialect) return read(state, dialect)
    if (!docChanged) return value
    let from = Infinity
    let toOld = 0
    let toNew = 0
    changes.iterChangedRanges((fromA, toA, _, toB) => {
      from = Math.min(from, fromA)
      toOld = Math.max(toOld, toA)
      toNew = Math.max(toNew, toB)
    })
    const text = state.doc.toString()
    return { ...value, pieces: reparseSegments(value.pieces, text, { from, toOld, toNew }, value.dialect) }
  },
})

/** Tracks the statements as the text changes. */
export const trackStatements = (dialect: string): Extension => field.init((state) => read(state, dialect))

/** Returns the statement at a position of the text, if its dialect is known. */
export function statementAtCursor(state: EditorState, cursor: number) {
  const segments = state.field(field, false)?.pieces
  return segments && statementAt(segments, cursor)
}

const bar = Decoration.line({ class: 'cm-statement' })

function buildBarDecorations({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const { main } = state.selection
  const statement = main.empty ? statementAtCursor(state, main.head) : undefined
  if (!statement || statement.of < 2) return builder.finish()
  for (const { from, to } of visibleRanges) {
    const end = Math.min(to, statement.to)
    for (let index = Math.max(from, statement.from); index <= end;) {
      const line = state.doc.lineAt(index)
      builder.add(line.from, line.from, bar)
      index = line.to + 1
    }
  }
  return builder.finish()
}

/** A bar beside the statement that would run, if there are several. */
export const statementBar = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = buildBarDecorations(view)
    }
    update(update: ViewUpdate) {
      if (
        update.docChanged ||
        update.selectionSet ||
        update.viewportChanged ||
        update.transactions.some(({ reconfigured }) => reconfigured)
      )
        this.decorations = buildBarDecorations(update.view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)
