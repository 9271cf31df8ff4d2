import type { Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet } from '@codemirror/view'
import { isUntouchedSql, sqlPlaceholder } from '../tabs.ts'

class PlaceholderWidget extends WidgetType {
  override toDOM(): HTMLElement {
    const text = document.createElement('span')
    text.className = 'cm-placeholder'
    text.textContent = sqlPlaceholder
    text.ariaHidden = 'true'
    return text
  }
  override ignoreEvent(): boolean {
    return false
  }
}

const placeholder = Decoration.widget({ widget: new PlaceholderWidget(), side: 1 })

/** On an empty last line, as long as the lines above contain only comments, such as the note of SQL-041. */
function decorate({ state: { doc } }: EditorView): DecorationSet {
  const isShown = doc.line(doc.lines).length === 0 && isUntouchedSql(doc.toString())
  return isShown ? Decoration.set(placeholder.range(doc.length)) : Decoration.none
}

/** SQL-040: shows the placeholder of an untouched text after the cursor. It disappears with the first character typed. */
export const untouchedTextPlaceholder: Extension = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = decorate(view)
      }
      update({ docChanged, view }: { docChanged: boolean; view: EditorView }) {
        if (docChanged) this.decorations = decorate(view)
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
  EditorView.theme({ '.cm-placeholder': { color: 'var(--text-3)', pointerEvents: 'none' } }),
]
