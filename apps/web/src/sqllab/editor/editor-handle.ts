import { closeCompletion } from '@codemirror/autocomplete'
import type { Compartment } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { isUntouchedSql } from '../tabs.ts'
import { openFind } from './find-panel.ts'
import { replaceAll } from './replace-all.ts'
import { padInsertedText } from './pad-inserted-text.ts'
import { statementAtCursor } from './statement-bar.ts'

/** The text that Run would execute: the selection, else the statement at the cursor. */
export interface RunnableText {
  text: string
  from: number
  statement: { index: number; of: number } | null
}

/** Operations of the page on the active text. */
export interface EditorHandle {
  runnableText(): RunnableText
  fullText(): string
  insert(text: string): void
  /** Replaces the text in one undo step, and preserves the cursor where possible. */
  replace(text: string): void
  focus(): void
  /** Closes the completion list. */
  closeCompletion(): void
  select(from: number, to: number): void
  find(): void
}

export const createEditorHandle = (editor: EditorView, find: Compartment): EditorHandle => ({
  runnableText() {
    const { from, to, head } = editor.state.selection.main
    if (from !== to && !isUntouchedSql(editor.state.sliceDoc(from, to)))
      return { text: editor.state.sliceDoc(from, to), from, statement: null }
    const found = statementAtCursor(editor.state, head)
    return found
      ? {
          text: editor.state.sliceDoc(found.from, found.to),
          from: found.from,
          statement: { index: found.index, of: found.of },
        }
      : { text: '', from: 0, statement: null }
  },
  fullText: () => editor.state.doc.toString(),
  insert(text) {
    closeCompletion(editor)
    const { from, to } = editor.state.selection.main
    const surroundings = {
      before: editor.state.sliceDoc(Math.max(0, from - 1), from),
      after: editor.state.sliceDoc(to, to + 1),
    }
    editor.dispatch(editor.state.replaceSelection(padInsertedText(text, surroundings)), { scrollIntoView: true })
    editor.focus()
  },
  replace(text) {
    replaceAll(editor, text)
    editor.focus()
  },
  focus: () => editor.focus(),
  closeCompletion: () => void closeCompletion(editor),
  select(from, to) {
    const end = editor.state.doc.length
    editor.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true })
    editor.focus()
  },
  find: () => void openFind(find)(editor),
})
