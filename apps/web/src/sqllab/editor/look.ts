import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.standard(tags.name)], color: 'var(--code-function)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--code-comment)' },
])

export const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: '0' },
  '.cm-line': { borderLeft: '2px solid transparent', paddingLeft: '6px' },
  '.cm-statement': { borderLeftColor: 'var(--accent)' },
  // The selection is drawn below the text: an opaque line would hide it.
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft-2) !important',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft-2)', outline: '1px solid var(--accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)', outline: '1px solid var(--warning)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft-2)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-3)',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip-lint': { fontFamily: 'var(--font)', maxWidth: '480px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    minWidth: '240px',
    maxHeight: '248px',
    padding: '4px',
    fontFamily: 'var(--mono)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    minHeight: '24px',
    padding: '0 8px',
    borderRadius: 'var(--radius-1)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft-2)', color: 'var(--text)' },
  '.cm-completionLabel': { flex: '1', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)' },
  '.cm-completionDetail': {
    flex: 'none',
    marginInlineStart: '16px',
    color: 'var(--text-2)',
    font: '11px/16px var(--font)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warning)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--font)', fontSize: '13px', padding: '8px 32px 8px 12px' },
  '.cm-panel.cm-search label': {
    fontSize: '12px',
    color: 'var(--text-2)',
    display: 'inline-flex',
    alignItems: 'center',
  },
  '.cm-textfield': {
    fontSize: '13px',
    minHeight: '24px',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border-control)',
    borderRadius: 'var(--radius-1)',
    color: 'var(--text)',
  },
  '.cm-button': {
    minHeight: '24px',
    fontSize: '12px',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border-control)',
    borderRadius: 'var(--radius-1)',
    color: 'var(--text)',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text-2)', width: '24px', height: '24px', fontSize: '16px' },
})
