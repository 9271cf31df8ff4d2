import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'

/** A piece of a tab's text. */
interface TextSlice {
  text: string
  from: number
}

/** The text as it stands in the editor, where it may be newer than in the state. */
export const readFullText = ({ editor }: Lab, tab: QueryEditor): string => editor.current?.fullText() ?? tab.sql

/** What is selected, else the statement at the cursor, else the whole text. */
export function readRunnableText(lab: Lab, tab: QueryEditor): TextSlice {
  const chosen = lab.editor.current?.runnableText()
  return chosen && chosen.text !== '' ? chosen : { text: readFullText(lab, tab), from: 0 }
}
