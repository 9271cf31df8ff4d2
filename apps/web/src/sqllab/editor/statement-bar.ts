import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import { ansiQuoting, readLines, rereadLines, statementAt, type Line, type Quoting } from './statements.ts'

/** Goes with a change of the dialect: one that quotes in another way reads the text anew. */
export const quotingEffect = StateEffect.define<Quoting>()

const field = StateField.define<{ lines: Line[]; quoting: Quoting }>({
  create: (state) => ({ lines: readLines(state.doc, ansiQuoting), quoting: ansiQuoting }),
  update(value, { docChanged, changes, startState, newDoc, effects }) {
    const quoting = effects.find((effect) => effect.is(quotingEffect))?.value as Quoting | undefined
    if (quoting && quoting !== value.quoting) return { lines: readLines(newDoc, quoting), quoting }
    if (!docChanged) return value
    let from = Infinity
    let toOld = 0
    let toNew = 0
    changes.iterChangedRanges((fromA, toA, fromB, toB) => {
      from = Math.min(from, fromB, fromA)
      toOld = Math.max(toOld, toA)
      toNew = Math.max(toNew, toB)
    })
    const change = {
      first: newDoc.lineAt(Math.min(from, newDoc.length)).number,
      lastOld: startState.doc.lineAt(toOld).number,
      lastNew: newDoc.lineAt(toNew).number,
    }
    return { lines: rereadLines(value.lines, newDoc, change, value.quoting), quoting: value.quoting }
  },
})

/** Keeps the lines read as the text changes. */
export const statementLines = (quoting: Quoting): Extension =>
  field.init((state) => ({ lines: readLines(state.doc, quoting), quoting }))

/** The statement at a place of the text, as far as its dialect is known. */
export function statementAtCursor(state: EditorState, cursor: number) {
  const lines = state.field(field, false)?.lines
  return lines && statementAt(lines, cursor)
}

const bar = Decoration.line({ class: 'cm-statement' })

function barOf({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const { main } = state.selection
  const statement = main.empty ? statementAtCursor(state, main.head) : undefined
  if (!statement || statement.of < 2) return builder.finish()
  for (const { from, to } of visibleRanges) {
    const end = Math.min(to, statement.to)
    for (let at = Math.max(from, statement.from); at <= end;) {
      const line = state.doc.lineAt(at)
      builder.add(line.from, line.from, bar)
      at = line.to + 1
    }
  }
  return builder.finish()
}

/** A bar beside the statement that would run, when there is more than one. */
export const statementBar = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = barOf(view)
    }
    update(update: ViewUpdate) {
      if (
        update.docChanged ||
        update.selectionSet ||
        update.viewportChanged ||
        update.transactions.some(({ reconfigured }) => reconfigured)
      )
        this.decorations = barOf(update.view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)
