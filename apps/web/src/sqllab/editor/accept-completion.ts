import {
  acceptCompletion,
  CompletionContext,
  completionStatus,
  insertCompletionText,
  pickedCompletion,
  selectedCompletion,
  type Completion,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { indentLess, indentMore } from '@codemirror/commands'
import { Prec, type Extension, type Text } from '@codemirror/state'
import { keymap, ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view'

type Complete = (context: CompletionContext) => CompletionResult | null

/**
 * Tab accepts the completion, otherwise it indents. While a list is rebuilt, because names arrive or keys come too fast, the
 * library passes its keys to the text; but a user who sees a list means the list.
 */
export const acceptKeys = (complete: Complete): Extension => [
  lastSelected,
  Prec.high(
    keymap.of([
      {
        key: 'Tab',
        run: (editor) => acceptCompletion(editor) || acceptComing(editor, complete) || indentMore(editor),
        shift: indentLess,
      },
      { key: 'Enter', run: (editor) => isListRefreshing(editor) && acceptComing(editor, complete) },
      { key: 'ArrowDown', run: isListRefreshing },
      { key: 'ArrowUp', run: isListRefreshing },
    ]),
  ),
]

/** The option selected in the list, and the text that it was offered for. */
const lastSelected = ViewPlugin.fromClass(
  class {
    seen: { doc: Text; label: string } | undefined
    update({ state }: ViewUpdate) {
      const selected = selectedCompletion(state)
      if (selected) this.seen = { doc: state.doc, label: selected.label }
      else if (completionStatus(state) === null) this.seen = undefined
    }
  },
)

const seenIn = (editor: EditorView): string | undefined => {
  const seen = editor.plugin(lastSelected)?.seen
  return seen?.doc.eq(editor.state.doc) ? seen.label : undefined
}

const isListRefreshing = (editor: EditorView): boolean =>
  completionStatus(editor.state) === 'pending' && seenIn(editor) !== undefined

/** Accepts the last selected option, else the best one with the typed prefix. */
function acceptComing(editor: EditorView, complete: Complete): boolean {
  const { state } = editor
  if (completionStatus(state) === null) return false
  const { head } = state.selection.main
  const result = complete(new CompletionContext(state, head, false))
  if (!result) return false
  const typed = state.sliceDoc(result.from, head).toLowerCase()
  const seen = seenIn(editor)
  const chosen =
    result.options.find(({ label }) => label === seen) ??
    result.options.filter(({ label }) => label.toLowerCase().startsWith(typed)).toSorted(byBoost)[0]
  if (!chosen) return false
  const text = typeof chosen.apply === 'string' ? chosen.apply : chosen.label
  editor.dispatch({
    ...insertCompletionText(state, text, result.from, head),
    annotations: pickedCompletion.of(chosen),
  })
  return true
}

const byBoost = (a: Completion, b: Completion): number =>
  (b.boost ?? 0) - (a.boost ?? 0) || a.label.localeCompare(b.label)
