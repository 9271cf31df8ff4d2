import { type Compartment, Prec } from '@codemirror/state'
import { keymap, type EditorView } from '@codemirror/view'
import { createChunkLoader } from '../../shared/chunk-loader.ts'

type Search = typeof import('@codemirror/search')
const loadSearch = createChunkLoader<Search>(() => import('@codemirror/search'))

/** Uses the search panel, which is loaded on first use. */
export function withFind(editor: EditorView, find: Compartment, use: (search: Search) => unknown): true {
  void loadSearch().then((search) => {
    if (Array.isArray(find.get(editor.state)))
      editor.dispatch({
        effects: find.reconfigure(
          Prec.high([search.search({ top: true }), search.highlightSelectionMatches(), keymap.of(search.searchKeymap)]),
        ),
      })
    use(search)
  })
  return true
}

export const openFind =
  (find: Compartment) =>
  (editor: EditorView): boolean =>
    withFind(editor, find, (search) => search.openSearchPanel(editor))
