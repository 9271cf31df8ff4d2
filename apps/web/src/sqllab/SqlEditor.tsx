import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { completeSql, type KnownTable } from './completion.ts'
import { statementAt } from './statements.ts'

export interface EditorHandle {
  /** Selected text, else the statement at the cursor; with the place of its first character in the whole. */
  chosen(): { text: string; from: number; statement: { index: number; of: number } | null }
  insert(text: string): void
  focus(): void
  select(from: number, to: number): void
}

export interface SqlEditorProps {
  value: string
  onChange(value: string): void
  /** Called when the cursor or selection moves, so that the button can say what it runs. */
  onMove(): void
  onRun(): void
  tables: readonly KnownTable[]
  wantColumns(names: readonly string[]): void
  error: { from: number; to: number; message: string } | null
  label: string
  handle: RefObject<EditorHandle | null>
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.standard(tags.name)], color: 'var(--code-function)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--code-comment)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft-2) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--text-2)', marginLeft: '12px' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)' },
  '&.cm-focused': { outline: 'none' },
})

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

/** The editor. It owns its text while it is open; `value` replaces it only when it comes from elsewhere. */
export function SqlEditor(props: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const now = useRef(props)
  useLayoutEffect(() => {
    now.current = props
  })
  const label = useRef(new Compartment())

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: now.current.value,
        selection:
          now.current.value === 'SELECT ...'
            ? { anchor: 0, head: now.current.value.length }
            : { anchor: now.current.value.length },
        extensions: [
          EditorView.cspNonce.of(nonce),
          label.current.of(EditorView.contentAttributes.of({ 'aria-label': now.current.label })),
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          sql({ dialect: PostgreSQL }),
          syntaxHighlighting(colours),
          look,
          autocompletion({
            override: [
              completeSql(
                () => now.current.tables,
                (names) => now.current.wantColumns(names),
              ),
            ],
            icons: false,
          }),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: (editor) => {
                closeCompletion(editor)
                now.current.onRun()
                return true
              },
            },
            { key: 'Tab', run: acceptCompletion },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) now.current.onChange(update.state.doc.toString())
            if (update.docChanged || update.selectionSet) now.current.onMove()
          }),
        ],
      }),
    })
    view.current = editor
    now.current.handle.current = handleOf(editor)
    editor.focus()
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [])

  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== props.value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } })
  }, [props.value])

  const { error } = props
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const end = editor.state.doc.length
    const marks: Diagnostic[] = error
      ? [{ from: Math.min(error.from, end), to: Math.min(error.to, end), severity: 'error', message: error.message }]
      : []
    editor.dispatch(setDiagnostics(editor.state, marks))
  }, [error])

  return <div ref={host} style={{ height: '100%' }} />
}

const handleOf = (editor: EditorView): EditorHandle => ({
  chosen() {
    const { from, to, head } = editor.state.selection.main
    const whole = editor.state.doc.toString()
    if (from !== to) return { text: whole.slice(from, to), from, statement: null }
    const found = statementAt(whole, head)
    return found
      ? { text: found.text, from: found.from, statement: { index: found.index, of: found.of } }
      : { text: '', from: 0, statement: null }
  },
  insert(text) {
    editor.dispatch(editor.state.replaceSelection(text))
    editor.focus()
  },
  focus: () => editor.focus(),
  select(from, to) {
    editor.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
    editor.focus()
  },
})
