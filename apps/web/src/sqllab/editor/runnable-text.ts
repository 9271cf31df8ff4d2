import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'

/** A piece of a tab's text. */
interface TextSlice {
  text: string
  from: number
}

/** Returns the editor's text, which may be newer than the state. */
export const readFullText = ({ editor }: Lab, tab: QueryEditor): string => editor.current?.fullText() ?? tab.sql

/** Returns the selection, else the statement at the cursor, else the whole text. */
export function readRunnableText(lab: Lab, tab: QueryEditor): TextSlice {
  const chosen = lab.editor.current?.runnableText()
  return chosen && chosen.text !== '' ? chosen : { text: readFullText(lab, tab), from: 0 }
}
