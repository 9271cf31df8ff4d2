import type { EditorView } from '@codemirror/view'

/** Replaces only the changed part, so that the cursor stays. */
export function replaceAll(editor: EditorView, next: string): void {
  const before = editor.state.doc.toString()
  if (before === next) return
  let from = 0
  while (from < before.length && from < next.length && before[from] === next[from]) from++
  let end = 0
  while (
    end < before.length - from &&
    end < next.length - from &&
    before[before.length - 1 - end] === next[next.length - 1 - end]
  )
    end++
  const insert = next.slice(from, next.length - end)
  editor.dispatch({ changes: { from, to: before.length - end, insert } })
}
