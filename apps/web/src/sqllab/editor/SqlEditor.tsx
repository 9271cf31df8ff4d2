import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
  selectedCompletionIndex,
  startCompletion,
  type CompletionContext,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { sql } from '@codemirror/lang-sql'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { acceptKeys } from './accept-completion.ts'
import { completeSql, type CompletionData } from './completion.ts'
import type { Dialect } from './dialects.ts'
import { createEditorHandle, type EditorHandle } from './editor-handle.ts'
import { openFind, withFind } from './find-panel.ts'
import { untouchedTextPlaceholder } from './untouched-text-placeholder.ts'
import { highlightStyle, editorTheme } from './theme.ts'
import { replaceAll } from './replace-all.ts'
import { dialectEffect, trackStatements, statementAtCursor, statementBar } from './statement-bar.ts'

/** An underlined range of the text, and the reason. */
export interface EditorDiagnostic {
  from: number
  to: number
  message: string
  severity: 'error' | 'warning'
}

export interface SqlEditorProps {
  /** Each tab is a separate text with its own history. */
  tabId: string
  value: string
  dialect: Dialect
  onChange(value: string): void
  /** Called when the cursor or selection moves, so that the Run button can name what it runs. */
  onMove(): void
  known: () => Omit<CompletionData, 'statement'>
  /** Changes when new names for completion arrive; an open list is then rebuilt. */
  names: unknown
  diagnostics: readonly EditorDiagnostic[]
  /** Wraps long lines. */
  wraps: boolean
  label: string
  /** Texts of the search panel. */
  phrases: Readonly<Record<string, string>>
  handle: RefObject<EditorHandle | null>
}

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

const maxNameLength = 128

/** States of inactive tabs: restores cursor, undo history and scroll position. */
type Shelf = Map<string, EditorState>

/** The editor owns the text of its tab while it is shown; `value` replaces it only when it comes from elsewhere. */
export function SqlEditor(props: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const inactiveStates = useRef<Shelf>(new Map())
  const shown = useRef({ tabId: '', value: '' })
  /** The tab that received the last keystroke: a list opens only for typing, not for switching tabs. */
  const typedIn = useRef('')
  const now = useRef(props)
  useLayoutEffect(() => {
    now.current = props
  })
  const parts = useRef({ language: new Compartment(), find: new Compartment(), wrapping: new Compartment() })

  const make = useRef((value: string): EditorState => {
    const { language, find, wrapping } = parts.current
    const complete = (context: CompletionContext) =>
      completeSql(() => ({
        ...now.current.known(),
        statement: (cursor) => statementAtCursor(context.state, cursor),
      }))(context)
    const doc = EditorState.create({ doc: value }).doc
    return EditorState.create({
      doc,
      selection: { anchor: doc.length },
      extensions: [
        EditorView.cspNonce.of(nonce),
        // A scrollable area needs a child that Tab reaches: the text.
        EditorView.contentAttributes.of({ 'aria-label': now.current.label, tabindex: '0' }),
        EditorState.phrases.of(now.current.phrases),
        EditorState.allowMultipleSelections.of(true),
        lineNumbers(),
        history(),
        drawSelection(),
        rectangularSelection(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        language.of(languageExtension(now.current.dialect)),
        trackStatements(now.current.dialect.name),
        find.of([]),
        wrapping.of(wrap(now.current.wraps)),
        syntaxHighlighting(highlightStyle),
        editorTheme,
        statementBar,
        untouchedTextPlaceholder,
        autocompletion({ override: [complete], icons: false, activateOnTypingDelay: 0, interactionDelay: 10 }),
        acceptKeys(complete),
        Prec.high(
          keymap.of([
            { key: 'Mod-f', run: openFind(find) },
            { key: 'Mod-h', run: openFind(find) },
            { key: 'Mod-d', run: (editor) => withFind(editor, find, (search) => search.selectNextOccurrence(editor)) },
          ]),
        ),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          // The page handles Mod-Enter.
          ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
        ]),
        EditorView.updateListener.of((update) => {
          reachList(update.view)
          if (update.transactions.some((each) => each.isUserEvent('input'))) typedIn.current = shown.current.tabId
          if (update.docChanged) {
            shown.current.value = update.state.doc.toString()
            now.current.onChange(shown.current.value)
          }
          if (update.docChanged || update.selectionSet) now.current.onMove()
        }),
      ],
    })
  })

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const states = inactiveStates.current
    const { tabId, value } = now.current
    shown.current = { tabId, value }
    const editor = new EditorView({ parent, state: make.current(value) })
    view.current = editor
    now.current.handle.current = createEditorHandle(editor, parts.current.find)
    editor.scrollDOM.tabIndex = -1
    editor.focus()
    return () => {
      editor.destroy()
      view.current = null
      states.clear()
    }
  }, [])

  const { tabId, value, dialect, diagnostics, names, wraps } = props
  useEffect(() => {
    const editor = view.current
    if (!editor?.hasFocus) return
    const { head, empty } = editor.state.selection.main
    const isAfterPoint =
      empty &&
      typedIn.current === shown.current.tabId &&
      /[\w"`]\.[\w$]*$/.test(editor.state.sliceDoc(Math.max(0, head - maxNameLength), head))
    // The user is choosing from the list.
    if ((selectedCompletionIndex(editor.state) ?? 0) > 0) return
    if (completionStatus(editor.state) === 'active' || isAfterPoint) startCompletion(editor)
  }, [names])
  // Runs before the next keystroke: text typed right after switching tabs belongs to the new one.
  useLayoutEffect(() => {
    const editor = view.current
    if (!editor) return
    const before = shown.current
    if (before.tabId !== tabId) {
      inactiveStates.current.set(before.tabId, editor.state)
      const savedState = inactiveStates.current.get(tabId)
      inactiveStates.current.delete(tabId)
      shown.current = { tabId, value: savedState ? savedState.doc.toString() : value }
      editor.setState(savedState ?? make.current(value))
      applyDialect(editor, parts.current.language, now.current.dialect)
      editor.dispatch({ effects: parts.current.wrapping.reconfigure(wrap(now.current.wraps)) })
      now.current.onMove()
    }
    if (shown.current.value !== value) {
      shown.current.value = value
      replaceAll(editor, value)
    }
  }, [tabId, value])

  useEffect(() => {
    if (view.current) applyDialect(view.current, parts.current.language, dialect)
  }, [dialect])

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.wrapping.reconfigure(wrap(wraps)) })
  }, [wraps])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const end = editor.state.doc.length
    const found = diagnostics.map((mark): Diagnostic => ({
      ...mark,
      from: Math.min(mark.from, end),
      to: Math.min(mark.to, end),
    }))
    editor.dispatch(setDiagnostics(editor.state, found))
  }, [diagnostics, tabId])

  return <div ref={host} style={{ height: '100%' }} />
}

const languageExtension = ({ language }: Dialect): Extension => sql({ dialect: language })

const wrap = (wraps: boolean): Extension => (wraps ? EditorView.lineWrapping : [])

/** Makes the scrollable completion list reachable by keyboard. The library rebuilds it with each letter. */
function reachList({ dom, state }: EditorView): void {
  if (completionStatus(state) === null) return
  for (const list of dom.querySelectorAll<HTMLElement>('.cm-tooltip-autocomplete > ul')) list.tabIndex = 0
}

/** Switches the dialect of the active text. */
const applyDialect = (editor: EditorView, language: Compartment, dialect: Dialect): void =>
  editor.dispatch({ effects: [language.reconfigure(languageExtension(dialect)), dialectEffect.of(dialect.name)] })
