import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'

/** A piece of a tab's text. */
interface Piece {
  text: string
  from: number
}

/** The text as it stands in the editor, where it may be newer than in the state. */
export const wholeText = ({ editor }: Lab, tab: QueryEditor): string => editor.current?.whole() ?? tab.sql

/** What is selected, else the statement at the cursor, else the whole text. */
export function chosenText(lab: Lab, tab: QueryEditor): Piece {
  const chosen = lab.editor.current?.chosen()
  return chosen && chosen.text !== '' ? chosen : { text: wholeText(lab, tab), from: 0 }
}
